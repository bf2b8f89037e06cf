// A curve at m budgets: does the band hold all of it? Errors of neighbours have one correlation.

const MEANING = given.meaning;
const NAMES = Object.keys(MEANING);
const LEVEL = .95;

// Normal chances by Simpson's rule, over as many steps as a narrow correlation needs.
const STEPS = 120;
const density = x => Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
const simpson = i => i === 0 || i === STEPS ? 1 : i % 2 ? 4 : 2;

// Chance that all of the first 1, 2, ... m standardised errors lie within z.
const stayed = (z, m, r) => {
  const h = 2 * z / STEPS;
  const at = Array.from({length: STEPS + 1}, (_, i) => -z + i * h);
  const weight = at.map((_, i) => simpson(i) * h / 3);
  const spread = Math.sqrt(1 - r * r);
  const step = at.map(x => at.map((y, j) => weight[j] * density((x - r * y) / spread) / spread));
  let now = at.map(density);
  const found = [];
  for (let i = 0; i < m; i++) {
    if (i) now = step.map(row => add(row.map((o, j) => o * now[j])));
    found.push(add(now.map((o, j) => o * weight[j])));
  }
  return found;
};
const all = (z, m, r) => stayed(z, m, r)[m - 1];

// Where a rising function reaches a value: the secant, kept between two ends.
const solve = (rise, goal, low, high) => {
  let [down, up] = [rise(low) - goal, rise(high) - goal];
  if (up <= 0) return high;
  if (down >= 0) return low;
  for (let i = 0; i < 60 && high - low > 1e-7; i++) {
    const at = i % 3 === 2 ? (low + high) / 2 : low - down * (high - low) / (up - down);
    const now = rise(at) - goal;
    if (now < 0) [low, down] = [at, now];
    else [high, up] = [at, now];
    if (Math.abs(now) < 1e-10) return at;
  }
  return (low + high) / 2;
};
const within = z => stayed(z, 1, 0)[0];
const quantileWithin = level => solve(within, level, 1, 6);

const known = {};
const study = (m, r) => known[[m, r]] ??= (() => {
  const pointwise = quantileWithin(LEVEL);
  const bonferroni = quantileWithin(1 - (1 - LEVEL) / m);
  const width = {
    "pointwise": pointwise,
    "sup-t": solve(z => all(z, m, r), LEVEL, pointwise, bonferroni + .001),
    "Bonferroni": bonferroni,
  };
  return Object.fromEntries(NAMES.map(o => [o, {z: width[o], held: stayed(width[o], m, r)}]));
})();

// The half-width of each band around a curve that is drawn flat.
const drawBands = (found, choice, m) => {
  const y = v => 110 - 28 * v;
  const shape = (name, look) =>
    `<rect x="40" width="220" y="${y(found[name].z)}" height="${56 * found[name].z}" ${look}/>`;
  const names = [...NAMES].sort((a, b) => found[b].z - found[a].z);
  return [
    ...names.map(o => shape(o, o === choice ? `fill="${HUE}" opacity=".3"`
      : 'fill="none" stroke="currentColor" opacity=".45"')),
    rule(40, 260, y(0), ""),
    ...nameLines(NAMES, choice, 268, o => y(found[o].z)),
    mark(40, 222, 1), mark(260, 222, m > 1 ? m : ""),
    mark(150, 240, "standard errors around the curve")];
};

// How often a band holds the first 1 to m budgets together.
const drawHeld = (found, choice, m) => {
  const right = endBefore(NAMES);
  const least = Math.min(LEVEL, ...NAMES.map(o => found[o].held[m - 1]));
  const floor = Math.floor(10 * least - .01) / 10;
  const x = at => m === 1 ? (40 + right) / 2 : 40 + (right - 40) * (at - 1) / (m - 1);
  const y = v => 200 - 180 * (v - floor) / (1 - floor);
  const points = name => found[name].held.map((v, i) =>
    x(i + 1).toFixed(1) + "," + y(v).toFixed(1)).join(" ");
  return [
    ...[floor, 1].map(v => rule(40, right, y(v)) + mark(22, y(v) + 4, v)),
    rule(40, right, y(LEVEL), DASHED),
    ...drawLines(NAMES, choice, points),
    dot(x(m), y(found[choice].held[m - 1])),
    ...nameLines(NAMES, choice, right + 8, o => y(found[o].held[m - 1])),
    mark(x(1), 222, 1), mark(x(m), 222, m > 1 ? m : ""),
    mark((40 + right) / 2, 240, "held together, over budgets")];
};

const show = ({m, r, choice}) => {
  const found = study(m, r / 100);
  const {z, held} = found[choice];
  return {
    panels: [
      svg(340, 250, "half-width of the bands", drawBands(found, choice, m)),
      svg(340, 250, "how often a band holds all budgets", drawHeld(found, choice, m))],
    said: `<b>The ${choice} band holds the whole curve in ${percent(held[m - 1])} of runs</b>: ` +
      `${many(m, "budget")}, correlation of neighbours ${r / 100}, ${z.toFixed(2)} standard ` +
      "errors on each side.",
    rows: NAMES.map(o => [o, MEANING[o], `± ${found[o].z.toFixed(2)} s.e.`,
      percent(found[o].held[m - 1])]),
  };
};
