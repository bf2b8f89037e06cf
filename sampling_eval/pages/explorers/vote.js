// Who wins a vote of k samples among four answers, and what the metrics make of the same samples.
//
// The first answer is right. A win shared by t answers counts 1/t, in twelfths: every number is a
// whole one below 2^53 until the last division.

const MEANING = given.meaning;
const NAMES = Object.keys(MEANING);
const LETTERS = "ABCD";

// For each answer: in how many ways to keep k it is on top alone, with one other, two or three.
const tally = (votes, k) => {
  const wins = votes.map(() => [0, 0, 0, 0]);
  const close = (kept, ways) => {
    const top = Math.max(...kept);
    const tied = kept.filter(o => o === top).length;
    kept.forEach((o, answer) => { if (o === top) wins[answer][tied - 1] += ways; });
  };
  const keep = (i, left, ways, kept) => {
    if (i === votes.length) {
      if (!left) close(kept, ways);
      return;
    }
    for (let j = 0; j <= Math.min(votes[i], left); j++)
      keep(i + 1, left - j, ways * choose(votes[i], j), [...kept, j]);
  };
  keep(0, k, 1, []);
  return wins;
};
const twelfths = ([alone, two, three, four]) => 12 * alone + 6 * two + 4 * three + 3 * four;

// Every metric of the samples at a budget.
const measure = (votes, k) => {
  const [c] = votes;
  const n = add(votes);
  const all = choose(n, k);
  const [mine] = tally(votes, k);
  return {
    "pass@k": passAt(n, c, k),
    "maj@k": twelfths(mine) / (12 * all),
    "maj@k, ties lose": mine[0] / all,
    "cons@k": add(subsets(n, c, k).slice(Math.floor(k / 2) + 1)) / all,
    "pass^k": passHat(n, c, k),
    "avg@n": c / n,
  };
};

const drawVotes = (votes, k) => {
  const all = choose(add(votes), k);
  const parts = [
    mark(112, 16, "the samples"),
    text(338, 16, `chance to win, ${k} vote${k > 1 ? "s" : ""}`, `text-anchor="end" ${FAINT}`)];
  tally(votes, k).forEach((wins, i) => {
    const y = 52 + 50 * i;
    const chance = twelfths(wins) / (12 * all);
    const ball = i ? `fill="none" stroke="currentColor" ${FAINT}` : `fill="${HUE}"`;
    const bar = i ? 'fill="currentColor" opacity=".55"' : `fill="${HUE}"`;
    parts.push(text(8, y + 5, LETTERS[i], 'font-weight="700"'));
    for (let j = 0; j < votes[i]; j++)
      parts.push(`<circle cx="${27 + 16 * j}" cy="${y}" r="6.5" ${ball}/>`);
    parts.push(`<rect x="226" y="${y - 9}" width="${70 * chance}" height="18" ${bar}/>`);
    parts.push(text(232 + 70 * chance, y + 4, chance.toFixed(3), ""));
  });
  return parts;
};

const compareEnds = (first, last, n) => {
  if (n === 1) return "";
  if (first === last) return ` All ${n} votes are as good as one: ${last.toFixed(3)}.`;
  const change = last < first ? "hurt" : "help";
  return ` More votes ${change}: ${first.toFixed(3)} with one, ${last.toFixed(3)} with all ${n}.`;
};
const explain = (votes, curve, k, choice) => {
  const n = add(votes);
  const all = choose(n, k);
  const now = curve[k - 1][choice];
  const named = choice.replace("@k", "@" + k).replace("^k", "^" + k).replace("@n", "@" + n);
  const result = `<b>${named} = ${now.toFixed(3)}</b>`;
  if (choice === "avg@n") return `${result}: ${votes[0]} of ${n} samples say A, whatever k is.`;
  const ways = `${result}: of the ${commas(all)} way${all > 1 ? "s" : ""} to keep ${k} of ${n},`;
  if (!choice.startsWith("maj")) {
    const what = {
      "pass@k": "hold an A",
      "cons@k": "hold more A than all others together",
      "pass^k": "hold nothing but A",
    }[choice];
    return `${ways} ${commas(Math.round(now * all))} ${what}.`;
  }
  const [alone, ...tied] = tally(votes, k)[0];
  const shared = commas(add(tied));
  return `${ways} A wins ${commas(alone)} alone and shares the first place in ${shared}.` +
    compareEnds(curve[0][choice], curve[n - 1][choice], n);
};

const show = ({a, b, c, d, k, choice}) => {
  const votes = [a, b, c, d];
  const n = add(votes);
  const curve = Array.from({length: n}, (_, i) => measure(votes, i + 1));
  return {
    panels: [
      svg(340, 250, `votes ${votes.join(", ")} and the chance of each answer to win`,
        drawVotes(votes, k)),
      svg(340, 250, `${choice} over k`,
        drawOverK(NAMES, choice, n, k, (name, at) => curve[at - 1][name]))],
    said: explain(votes, curve, k, choice),
    rows: NAMES.map(o => [o, MEANING[o], curve[k - 1][o].toFixed(3)]),
  };
};
