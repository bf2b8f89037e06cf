// What is believed of a chance, before and after n samples; priors are beta distributions.

const MEANING = given.meaning;
const NAMES = Object.keys(MEANING);

const PRIOR = {
  "flat": () => [1, 1],
  "Jeffreys": () => [.5, .5],
  "yours": ({a, b}) => [a / 2, b / 2],
};
const posterior = (name, {n, c, ...own}) => {
  const [a, b] = PRIOR[name](own);
  return [a + c, b + n - c];
};
const mean = ([a, b]) => a / (a + b);
const interval = ([a, b]) => [.025, .975].map(q => quantile(q, a, b));

// Shares of belief in fifty steps: an average density needs no value at its poles.
const CELLS = 50;
const densities = ([a, b]) => Array.from({length: CELLS}, (_, i) =>
  CELLS * (below((i + 1) / CELLS, a, b) - below(i / CELLS, a, b)));

const drawBelief = state => {
  const before = densities(PRIOR[state.choice](state));
  const after = densities(posterior(state.choice, state));
  const top = Math.max(...after);
  const x = i => 40 + 285 * (i + .5) / CELLS;
  const y = v => 200 - 180 * Math.min(1, v / top);
  const points = values => values.map((v, i) => x(i).toFixed(1) + "," + y(v).toFixed(1));
  const corners = [`${x(0)},200`, ...points(after), `${x(CELLS - 1)},200`].join(" ");
  return [
    `<polygon points="${corners}" fill="${HUE}" opacity=".25"/>`,
    line(points(after).join(" "), `stroke="${HUE}" stroke-width="3"`),
    line(points(before).join(" "), `stroke="currentColor" ${DASHED}`),
    rule(40, 325, 200, FAINT),
    mark(40, 222, 0), mark(325, 222, 1),
    mark(182, 240, "belief before (dashed) and after")];
};

// The three answers beside each other, and the share that was seen.
const drawIntervals = state => {
  const x = v => 90 + 235 * v;
  const {n, c, choice} = state;
  return [
    `<path d="M${x(c / n)} 20V200" stroke="currentColor" ${DASHED}/>`,
    ...NAMES.flatMap((name, i) => {
      const y = 50 + 55 * i;
      const [low, high] = interval(posterior(name, state));
      const paint = name === choice ? HUE : "currentColor";
      return [
        text(80, y + 4, name, 'text-anchor="end"'),
        `<path d="M${x(low)} ${y}H${x(high)}" stroke="${paint}" stroke-width="4" opacity=".6"/>`,
        dot(x(mean(posterior(name, state))), y, paint)];
    }),
    rule(90, 325, 200, FAINT), mark(90, 222, 0), mark(325, 222, 1),
    mark(208, 240, `mean and 95 %; dashed: ${c} of ${n}`)];
};

const show = state => {
  const {n, c, choice} = state;
  const [low, high] = interval(posterior(choice, state));
  const rows = NAMES.map(o => {
    const [from, to] = interval(posterior(o, state));
    return [o, MEANING[o], `mean ${mean(posterior(o, state)).toFixed(4)}`,
      `${from.toFixed(4)} to ${to.toFixed(4)}`];
  });
  return {
    panels: [
      svg(340, 250, "belief before and after", drawBelief(state)),
      svg(340, 250, "mean and interval of every prior", drawIntervals(state))],
    said: `<b>${choice} prior: 95 % of the belief lies in ${low.toFixed(3)} to ` +
      `${high.toFixed(3)}</b>. Seen: ${c} of ${n} right, ${percent(c / n)}.`,
    rows,
  };
};
