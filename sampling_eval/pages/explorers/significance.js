// Questions that only one of two systems got right: is the difference significant?

const MEANING = given.meaning;
const NAMES = Object.keys(MEANING);

// Chance of more than z standard deviations on one side, by Simpson's rule from 0 to z.
const above = z => {
  const steps = 400;
  const h = z / steps;
  const density = x => Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  const inner = Array.from({length: steps - 1}, (_, i) => (i % 2 ? 2 : 4) * density((i + 1) * h));
  return .5 - h / 3 * (density(0) + add(inner) + density(z));
};

const TEST = {
  "exact McNemar": (few, n, law) => Math.min(1, 2 * add(law.slice(0, few + 1))),
  "mid-p": (few, n, law) => 2 * few === n ? 1
    : 2 * add(law.slice(0, few + 1)) - law[few],
  "z test": (few, n) => n ? 2 * above((n - 2 * few) / Math.sqrt(n)) : 1,
};
const tosses = n => chances(n, .5);
const p = (name, one, n, law = tosses(n)) => TEST[name](Math.min(one, n - one), n, law);

// Every outcome of as many tosses; those at least as lopsided are what the p value adds up.
const drawTosses = (one, n) => {
  const law = tosses(n);
  const most = Math.max(...law);
  const wide = Math.min(40, 310 / (n + 1));
  const few = Math.min(one, n - one);
  const bars = law.map((chance, i) => {
    const x = 170 + (i - n / 2) * wide;
    const paint = i <= few || i >= n - few ? `fill="${HUE}"` : `fill="currentColor" ${FAINT}`;
    const tall = 165 * chance / most;
    return `<rect x="${(x - .4 * wide).toFixed(1)}" width="${(.8 * wide).toFixed(1)}"
      y="${(195 - tall).toFixed(1)}" height="${tall.toFixed(1)}" ${paint}/>`;
  });
  const at = 170 + (one - n / 2) * wide;
  return [
    ...bars, rule(8, 332, 195, FAINT),
    `<path d="M${at.toFixed(1)} 199l5 9h-10z" fill="currentColor"/>`,
    mark(170, 240, `won by A, of ${n}, if both were equal`)];
};

const drawPs = (one, n, choice) => {
  const right = endBefore(NAMES);
  const x = v => n ? 40 + (right - 40) * v / n : 40;
  const y = v => 200 - 180 * v;
  const law = tosses(n);
  const points = name => law.map((_, i) =>
    x(i).toFixed(1) + "," + y(p(name, i, n, law)).toFixed(1)).join(" ");
  return [
    ...[0, .5, 1].map(v => rule(40, right, y(v)) + mark(22, y(v) + 4, v)),
    rule(40, right, y(.05), DASHED),
    ...drawLines(NAMES, choice, points),
    dot(x(one), y(p(choice, one, n, law))),
    ...nameLines(NAMES, choice, right + 8, o => y(p(o, n, n, law))),
    mark(x(0), 222, 0), mark(x(n), 222, n || ""),
    mark((40 + right) / 2, 240, "p over wins of A; dashed: .05")];
};

const show = ({a, b, choice}) => {
  const n = a + b;
  const found = p(choice, a, n);
  const verdict = found <= .05 ? "significant" : "not significant";
  const least = p(choice, 0, n);
  const reach = least > .05
    ? ` With ${many(n, "such question")} no result can be significant.` : "";
  return {
    panels: [
      svg(340, 250, "chances of every number of wins, both being equal", drawTosses(a, n)),
      svg(340, 250, `p of the ${choice} over the wins of A`, drawPs(a, n, choice))],
    said: `<b>p = ${found.toFixed(4)} (${choice}): ${verdict}</b> at 5 %. Only A right on ${a}, ` +
      `only B on ${b}; questions on which both agree say nothing.${reach}`,
    rows: NAMES.map(o => [o, MEANING[o], p(o, a, n).toFixed(4)]),
  };
};
