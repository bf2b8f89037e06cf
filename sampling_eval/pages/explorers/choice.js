// One question with three choices, the first of them right: log-probabilities in tenths, which are
// negative, and lengths in characters.

const MEANING = given.meaning;
const NAMES = Object.keys(MEANING);
const CHOICES = ["A", "B", "C"];

const LENGTH = {"raw": () => 1, "per character": (state, o) => state[`length${o}`]};
// Whether one choice is at least as probable as another: whole numbers, no rounding.
const score = (name, state, o) => -state[`minus${o}`] / 10 / LENGTH[name](state, o);
const isAhead = (name, state, a, b) =>
  state[`minus${a}`] * LENGTH[name](state, b) <= state[`minus${b}`] * LENGTH[name](state, a);
const leaders = (name, state) =>
  CHOICES.filter(a => CHOICES.every(b => isAhead(name, state, a, b)));
const credit = (name, state) => {
  const best = leaders(name, state);
  return best.includes("A") ? 1 / best.length : 0;
};

const drawScores = (name, state) => {
  const values = CHOICES.map(o => score(name, state, o));
  const most = Math.max(...values.map(v => -v));
  const best = leaders(name, state);
  return [
    rule(40, 300, 40, FAINT),
    ...CHOICES.map((o, i) => {
      const x = 70 + 80 * i;
      const tall = 150 * -values[i] / most;
      const paint = best.includes(o) ? `fill="${HUE}"` : `fill="currentColor" ${FAINT}`;
      return `<rect x="${x}" width="40" y="40" height="${tall}" ${paint}/>` +
        mark(x + 20, 28, o === "A" ? "A, right" : o) +
        text(x + 20, 54 + tall, values[i].toFixed(2));
    }),
    mark(170, 240, `log p, ${name}`)];
};

const tell = best => best.length > 1 ? `${best.join(" and ")} tie` : `${best[0]} wins`;

const show = state => {
  const [raw, each] = NAMES.map(o => leaders(o, state));
  const agree = String(raw) === String(each) ? "the same by both" : `raw: ${tell(raw)}`;
  const other = String(raw) === String(each) ? "" : `; per character: ${tell(each)}`;
  return {
    panels: NAMES.map(o => svg(340, 250, `log-probabilities, ${o}`, drawScores(o, state))),
    said: `<b>${tell(leaders(state.choice, state))}, ${state.choice}</b>: ${agree}${other}.`,
    rows: NAMES.map(o => [o, MEANING[o], credit(o, state).toFixed(3)]),
  };
};
