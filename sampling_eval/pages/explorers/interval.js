// How often each of five intervals holds the true rate of right answers, at every rate.
//
// `tail` is the chance of a miss on one side, `z` its normal quantile. An interval is [low, high],
// and `ends` has one for each count of right answers from 0 to n.

// Quantile of the share of right answers, drawn anew.
const redraw = (n, c, tail) => {
  let sum = 0;
  return chances(n, c / n).findIndex(o => (sum += o) >= tail) / n;
};

const LOWER = {
  "Wald": (n, c, tail, z) => Math.max(0, c / n - z * Math.sqrt(c * (n - c) / n) / n),
  "bootstrap": redraw,
  "Wilson": (n, c, tail, z) => c === 0 ? 0
    : (c + z * z / 2 - z * Math.sqrt(c * (n - c) / n + z * z / 4)) / (n + z * z),
  "flat prior": (n, c, tail) => quantile(tail, c + 1, n - c + 1),
  "Gaffke": (n, c, tail) => c === 0 ? 0 : quantile(tail, c, n - c + 1),
};
const NAMES = Object.keys(LOWER);
const intervals = (name, n, tail, z) => {
  const low = Array.from({length: n + 1}, (_, c) => LOWER[name](n, c, tail, z));
  return low.map((o, c) => [o, 1 - low[n - c]]);
};

// Whether an interval holds a rate. One that is an end itself is held, whatever rounding says.
const holds = ([low, high], p) => low <= p + 1e-12 && p <= high + 1e-12;

// Chance that the rate p is held by the counts that hold it, or that hold another rate.
const coverage = (ends, p, inside = p) =>
  add(chances(ends.length - 1, p).filter((_, c) => holds(ends[c], inside)));

// Lower ends rise with the count, and upper ends are their mirror image. So between two
// neighbouring ends the same neighbouring counts hold the rate: there the coverage rises and then
// falls, and is least at the ends themselves.
const pieces = ends => {
  const at = [...new Set([0, ...ends.flat(), 1])].sort((x, y) => x - y);
  return at.slice(1).map((o, i) => [at[i], o]).filter(([from, to]) => to - from > 1e-12);
};
const worst = ends => {
  let least = [2, 0];
  for (const [from, to] of pieces(ends)) for (const p of [from, to]) {
    const value = coverage(ends, p, (from + to) / 2);
    if (value < least[0] - 1e-9) least = [value, p];
  }
  return least;
};
const average = ends => {
  const n = ends.length - 1;
  const held = ends.map(([low, high], c) =>
    below(high, c + 1, n - c + 1) - below(low, c + 1, n - c + 1));
  return add(held) / (n + 1);
};

// What is known of every method at a size and level; each is computed once.
const known = {};
const study = (n, level, tail, z) =>
  known[[n, level]] ??= Object.fromEntries(NAMES.map(name => {
    const ends = intervals(name, n, tail, z);
    return [name, {ends, worst: worst(ends), average: average(ends)}];
  }));

const drawIntervals = (ends, p) => {
  const n = ends.length - 1;
  const chance = chances(n, p);
  const most = Math.max(...chance);
  const thick = Math.min(4, 110 / n);
  const x = v => 30 + 220 * v;
  const y = c => 200 - 180 * c / n;
  const bars = ends.map(([low, high], c) => {
    const look = holds([low, high], p) ? `fill="${HUE}"` : 'fill="currentColor" opacity=".5"';
    const bar = (from, wide) =>
      `<rect x="${from.toFixed(1)}" y="${(y(c) - thick / 2).toFixed(1)}"
        width="${wide.toFixed(1)}" height="${thick.toFixed(2)}" ${look}/>`;
    return bar(x(low), Math.max(1.5, x(high) - x(low))) + bar(272, 60 * chance[c] / most);
  });
  return [
    ...bars,
    `<path d="M${x(p)} 12V208" stroke="currentColor" ${DASHED}/>`,
    mark(14, y(0) + 4, 0), mark(14, y(n) + 4, n),
    mark(x(0), 222, 0), mark(x(1), 222, 1),
    mark(x(.5), 240, "interval of every count"), mark(302, 240, "its chance")];
};

const drawCoverage = ({ends, worst: [least, where]}, p, level) => {
  const floors = [0, .5, .8, .9, .98];
  const floor = floors.filter(o => o <= Math.min(least, level) - .005).pop() || 0;
  const x = v => 40 + 285 * v;
  const y = v => 200 - 180 * (v - floor) / (1 - floor);
  const points = pieces(ends).flatMap(([from, to]) => [0, .25, .5, .75, 1].map(part => {
    const at = from + part * (to - from);
    return x(at).toFixed(1) + "," + y(coverage(ends, at, (from + to) / 2)).toFixed(1);
  }));
  const left = where < .5;
  return [
    ...[floor, 1].map(v => rule(40, 325, y(v)) + mark(22, y(v) + 4, v)),
    rule(40, 325, y(level), DASHED),
    text(20, Math.max(y(level) + 4, y(1) + 19), level),
    line(points.join(" "), `stroke="${HUE}" stroke-width="1.3"`),
    dot(x(p), y(coverage(ends, p))),
    `<path d="M${x(where)} ${y(least) + 2}l5 9h-10z" fill="currentColor"/>`,
    text(x(where) + (left ? 10 : -10), Math.min(212, y(least) + 12), "worst " + percent(least),
      `text-anchor="${left ? "start" : "end"}"`),
    mark(x(0), 224, 0), mark(x(1), 224, 1),
    mark(182, 240, "coverage over the true rate")];
};

const show = ({n, at, rate, choice}) => {
  const level = given.levels[at] / 1000;
  const p = rate / 200;
  const all = study(n, level, (1 - level) / 2, given.z[at]);
  const chosen = all[choice];
  const [least, where] = chosen.worst;
  return {
    panels: [
      svg(340, 250, `the ${choice} interval of every count of right answers`,
        drawIntervals(chosen.ends, p)),
      svg(340, 250, `coverage of the ${choice} interval`, drawCoverage(chosen, p, level))],
    said: `<b>${choice} holds the true rate ${p} in ${percent(coverage(chosen.ends, p))} of ` +
      `runs</b> of ${n} question${n > 1 ? "s" : ""}; ${+(100 * level).toFixed(1)} % is ` +
      `promised. Over all rates: ${percent(chosen.average)} on average, at worst ` +
      `${percent(least)}, near ${where.toFixed(3)}.`,
    rows: NAMES.map(o => [o, `at rate ${p}: ${percent(coverage(all[o].ends, p))}`,
      `worst: ${percent(all[o].worst[0])}`]),
  };
};
