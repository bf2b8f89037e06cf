// What the explorers of disputes share: bars under their names, and leads that are chance.
//
// `measure(state)` gives {said, rows, axes}. A row is [name, meaning, words, low, high], and what
// was seen between the ends, if a dot shows it; an axis shows the rows of its names, or all.

const LINE = 42;
const END = 'text-anchor="end"';
const drawBars = (wide, look, {label, from, to, names}, rows, choice) => {
  const x = v => 12 + (wide - 24) * (v - from) / (to - from);
  const shown = names ? rows.filter(([name]) => names.includes(name)) : rows;
  const floor = LINE * shown.length + 4;
  const bars = shown.map(([name, , words, low, high, seen], i) => {
    const y = LINE * i + 14;
    const paint = name === choice ? `fill="${HUE}"` : 'fill="currentColor" opacity=".45"';
    const width = Math.max(2, x(high) - x(low));  // a bar of no width is seen as a line
    return text(12, y, name, "") + text(wide - 12, y, words, END) +
      `<rect x="${x(low)}" y="${y + 6}" width="${width}" height="12" ${paint}/>` +
      (seen === undefined ? "" : dot(x(seen), y + 12, "currentColor"));
  });
  return svg(wide, floor + 36, label, [
    ...bars, rule(12, wide - 12, floor, FAINT),
    ...from < 0 ? [line(`${x(0)},4 ${x(0)},${floor}`, `stroke="currentColor" ${DASHED}`)] : [],
    text(12, floor + 15, from, FAINT), text(wide - 12, floor + 15, to, `${END} ${FAINT}`),
    mark(wide / 2, floor + 30, label)], `class="${look}"`);
};

const show = state => {
  const {said, rows, axes} = measure(state);
  const draw = (wide, look) => axes.map(o => drawBars(wide, look, o, rows, state.choice));
  return {
    panels: [...draw(680, "wide"), ...draw(340, "narrow")],
    said,
    rows: rows.map(o => o.slice(0, 3))};
};

const points = share => (100 * share).toFixed(1);
const span = (low, high) => `${points(low)} to ${points(high)}`;
// Both ends of Clopper and Pearson, each missed with the chance `tail`.
const limits = (c, n, tail = .025) => [
  c ? quantile(tail, c, n - c + 1) : 0, c < n ? quantile(1 - tail, c + 1, n - c) : 1];

// Chance that so few of some coins fall on the rarer side, on either side.
const bothTails = (few, coins) => Math.min(1, 2 * add(chances(coins, .5).slice(0, few + 1)));
// The largest lead that coins give more often than `tail`.
const leadOfCoins = (coins, tail) => {
  const law = chances(coins, .5);
  let sum = 0;
  return coins - 2 * law.findIndex(o => (sum += 2 * o) > tail);
};
