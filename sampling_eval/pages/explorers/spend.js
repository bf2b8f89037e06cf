// What one question costs by three rules: one try, until a success, and always all k tries.

const MEANING = given.meaning;
const NAMES = Object.keys(MEANING);

// The chance that the first j tries, in a random order, are all wrong.
const missed = (n, c, j) => choose(n - c, j) / choose(n, j);
const steps = k => Array.from({length: k}, (_, i) => i + 1);

const RULES = {
  "one try": ({n, c, right, wrong}) => (c * right + (n - c) * wrong) / n,
  "stop at success": ({n, c, right, wrong}, k) =>
    wrong * add(steps(k).map(j => missed(n, c, j))) + right * (1 - missed(n, c, k)),
  "always k": ({n, c, right, wrong}, k) => k * (c * right + (n - c) * wrong) / n,
};
const spend = (name, state, k) => RULES[name](state, k);
const solved = (name, {n, c}, k) => 1 - missed(n, c, name === "one try" ? 1 : k);

// A bar for each try at which it may end, as tall as the chance of that, with what was paid.
const drawEnds = ({n, c, k, right, wrong, choice}) => {
  const last = choice === "one try" ? 1 : k;
  const stops = choice === "stop at success";
  const ends = steps(last).map(j => ({
    words: j,
    chance: missed(n, c, j - 1) - missed(n, c, j),
    paid: (j - 1) * wrong + right,
  }));
  ends.push({words: "none", chance: missed(n, c, last), paid: last * wrong});
  const wide = Math.min(60, 320 / ends.length);
  const small = wide < 24 ? 'font-size="8"' : "";
  const parts = [rule(8, 332, 200, FAINT)];
  ends.forEach(({words, chance, paid}, i) => {
    const x = 170 + (i - (ends.length - 1) / 2) * wide;
    const tall = 165 * chance;
    const paint = words === "none" ? `fill="currentColor" ${FAINT}` : `fill="${HUE}"`;
    parts.push(`<rect x="${x - .38 * wide}" width="${.76 * wide}" y="${200 - tall}"
      height="${tall}" ${paint}/>`);
    parts.push(text(x, 215, words, `${MIDDLE} ${small}`));
    if (stops && chance) parts.push(text(x, 194 - tall, paid, `${MIDDLE} ${FAINT} ${small}`));
  });
  return [...parts, mark(170, 240, "first right try; above it, what was paid by then")];
};

// Share solved over spend, for k from 1 to n.
const drawSpend = state => {
  const {n, k, choice} = state;
  const most = Math.max(...NAMES.map(o => spend(o, state, n))) || 1;
  const right = endBefore(NAMES);
  const x = v => 40 + (right - 40) * v / most;
  const y = v => 200 - 180 * v;
  const points = name => [0, ...steps(n)].map(at =>
    at ? x(spend(name, state, at)).toFixed(1) + "," + y(solved(name, state, at)).toFixed(1)
      : `${x(0)},${y(0)}`).join(" ");
  return [
    ...[0, .5, 1].map(v => rule(40, right, y(v)) + mark(22, y(v) + 4, v)),
    ...drawLines(NAMES, choice, points),
    dot(x(spend(choice, state, k)), y(solved(choice, state, k))),
    ...nameLines(NAMES, choice, right + 8, o => y(solved(o, state, n))),
    mark(x(0), 222, 0),
    mark(x(most), 222, most.toFixed(0)),
    mark((40 + right) / 2, 240, "share solved over spend")];
};

const ratio = (name, state) => {
  const share = solved(name, state, state.k);
  return share ? (spend(name, state, state.k) / share).toFixed(3) + " per solved" : "never solved";
};

const show = state => {
  const {n, c, k, choice} = state;
  const share = solved(choice, state, k);
  return {
    panels: [
      svg(340, 250, "at which try the first success comes", drawEnds(state)),
      svg(340, 250, "share solved over spend", drawSpend(state))],
    said: `<b>${choice}: ${spend(choice, state, k).toFixed(3)} per question</b>, solved in ` +
      `${percent(share)} of orders of ${n} samples, ${c} of them correct` +
      (share ? `; ${ratio(choice, state)} question.` : "."),
    rows: NAMES.map(o => [o, MEANING[o], solved(o, state, k).toFixed(3) + " solved",
      spend(o, state, k).toFixed(3) + " spent", ratio(o, state)]),
  };
};
