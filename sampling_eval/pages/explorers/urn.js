// Every way to keep k of n samples, and what each count metric makes of them.
//
// Every number is a whole one below 2^53 until the last division; tau counts twentieths.

const MEANING = given.meaning;
const NAMES = Object.keys(MEANING);

// Whether j correct samples among k earn the credit of a metric.
const CREDIT = {
  "pass@k": (j, k) => j >= 1,
  "cons@k": (j, k) => 2 * j > k,
  "G-Pass@k": (j, k, tau) => j >= 1 && 20 * j >= tau * k,
  "pass^k": (j, k) => j === k,
};

const earning = (name, n, c, k, tau) =>
  add(subsets(n, c, k).filter((_, j) => CREDIT[name](j, k, tau)));
const value = (name, n, c, k, tau) =>
  name === "avg@n" ? c / n : earning(name, n, c, k, tau) / choose(n, k);

const drawBall = (x, y, r, right) => right
  ? `<circle cx="${x}" cy="${y}" r="${r}" fill="${HUE}"/>`
  : `<circle cx="${x}" cy="${y}" r="${r - .7}" fill="none" stroke="currentColor" ${FAINT}/>`;
const drawUrn = (n, c) => Array.from({length: n}, (_, i) =>
  drawBall(20 + 30 * (i % 10), 16 + 26 * Math.floor(i / 10), 10, i < c));

// The few ways of a small urn stand there one by one; of many, bars show the number.
const FLOOR = 208;
const drawEach = (x, count, j, k, paint) => Array.from({length: count}, (_, i) => {
  const y = FLOOR - 8 - 13 * i;
  const frame = `<rect x="${x - 5.5 * k - 1}" y="${y - 6}" width="${11 * k + 2}" height="12" rx="6"
    ${paint} fill-opacity=".22"/>`;
  const balls = Array.from({length: k}, (_, b) =>
    drawBall(x + 11 * (b - (k - 1) / 2), y, 4.4, b < j));
  return frame + balls.join("");
});
const drawSubsets = ({n, c, k, tau, choice}) => {
  const ways = subsets(n, c, k);
  const most = Math.max(...ways);
  const wide = Math.min(60, 320 / (k + 1));
  const small = wide < 24 ? 'font-size="8"' : "";
  const single = most <= 10 && k <= 4;
  const earns = j => choice === "avg@n" ? j > 0 : CREDIT[choice](j, k, tau);
  const parts = [rule(8, 332, FLOOR, FAINT)];
  ways.forEach((count, j) => {
    const x = 170 + (j - k / 2) * wide;
    const tall = single ? 13 * count : 120 * count / most;
    const paint = earns(j) ? `fill="${HUE}"` : `fill="currentColor" ${FAINT}`;
    if (single) parts.push(...drawEach(x, count, j, k, paint));
    else parts.push(`<rect x="${x - .38 * wide}" width="${.76 * wide}" y="${FLOOR - tall}"
      height="${tall}" ${paint}/>`);
    parts.push(text(x, FLOOR + 15, j, `${MIDDLE} ${small}`));
    const fits = String(count).length * (small ? 4.5 : 6.5) < 1.1 * wide;
    if (count && (fits || count === most))
      parts.push(text(x, FLOOR - tall - 6, commas(count), `${MIDDLE} ${FAINT} ${small}`));
  });
  return [...parts, mark(170, FLOOR + 32, "every way to keep k, by its number of correct samples")];
};

const explain = ({n, c, k, tau, choice}) => {
  const named = choice.replace(/k$/, k).replace(/n$/, n);
  const result = `<b>${named} = ${value(choice, n, c, k, tau).toFixed(3)}</b>`;
  if (choice === "avg@n") return `${result}: ${c} of ${n} samples are correct, whatever k is.`;
  const all = commas(choose(n, k));
  const some = commas(earning(choice, n, c, k, tau));
  const what = {
    "pass@k": "hold at least one correct",
    "cons@k": "hold more correct than wrong ones",
    "G-Pass@k": `hold at least the share ${tau / 20} of correct ones`,
    "pass^k": "are all correct",
  }[choice];
  return `${result}: ${some} of the ${all} ways to keep ${k} of ${n} ${what}.`;
};

const show = state => {
  const {n, c, k, tau, choice} = state;
  const urn = `<g>${drawUrn(n, c).join("")}</g>`;
  const curves = drawOverK(NAMES, choice, n, k, (name, at) => value(name, n, c, at, tau));
  return {
    panels: [
      svg(340, 250, `${c} of ${n} samples correct; the ways to keep ${k}`,
        [urn, ...drawSubsets(state)]),
      svg(340, 250, `${choice} over k`, curves)],
    said: explain(state),
    rows: NAMES.map(o => [o, MEANING[o], value(o, n, c, k, tau).toFixed(3)]),
  };
};
