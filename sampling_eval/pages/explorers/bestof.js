// The highest-scored of k samples, where `above` wrong ones are scored above the right ones.

const MEANING = given.meaning;
const NAMES = Object.keys(MEANING);

// The right samples hold the places n - above - c + 1 to n - above from below.
const isRight = ({n, c, above}, place) => place > n - above - c && place <= n - above;
const VALUE = {
  "best of k": ({n, c, above}, k) =>
    (choose(n - above, k) - choose(n - above - c, k)) / choose(n, k),
  "pass@k": ({n, c}, k) => 1 - choose(n - c, k) / choose(n, k),
  "avg@n": ({n, c}) => c / n,
};
const value = (name, state, k = state.k) => VALUE[name](state, k);

// A bar for each sample, from the lowest to the highest score: its chance to be the one picked.
const drawPlaces = state => {
  const {n, k} = state;
  const wide = 310 / n;
  const most = k / n;
  const parts = [rule(8, 332, 190, FAINT)];
  for (let i = 1; i <= n; i++) {
    const x = 15 + (i - .5) * wide;
    const tall = 165 * choose(i - 1, k - 1) / choose(n, k) / most;
    const paint = isRight(state, i) ? `fill="${HUE}"` : `fill="currentColor" ${FAINT}`;
    parts.push(`<rect x="${x - .38 * wide}" width="${.76 * wide}" y="${190 - tall}"
      height="${tall}" ${paint}/>`);
    const r = Math.min(6, .4 * wide);
    parts.push(isRight(state, i) ? `<circle cx="${x}" cy="206" r="${r}" fill="${HUE}"/>`
      : `<circle cx="${x}" cy="206" r="${r}" fill="none" stroke="currentColor" ${FAINT}/>`);
  }
  return [...parts, mark(170, 240, "chance to be picked; scores rise to the right")];
};

const show = state => {
  const {n, c, k, above, choice} = state;
  const falls = value("best of k", state) < c / n;
  const told = `${above} wrong above the ${c} right of ${n}. ` + (falls
    ? "The score picks worse than a random pick."
    : "The score picks no worse than a random pick.");
  return {
    panels: [
      svg(340, 250, "chance of each sample to be picked", drawPlaces(state)),
      svg(340, 250, `${choice} over k`,
        drawOverK(NAMES, choice, n, k, (name, at) => value(name, state, at)))],
    said: `<b>${choice.replace(/k$/, k)} = ${value(choice, state).toFixed(3)}</b>: ${told}`,
    rows: NAMES.map(o => [o, MEANING[o], value(o, state).toFixed(3)]),
  };
};
