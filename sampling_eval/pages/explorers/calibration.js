// Sixty answers, twenty said with 50 %, with 70 % and with 90 %: how many of each are right?

const MEANING = given.meaning;
const NAMES = Object.keys(MEANING);
const SAID = [10, 14, 18];  // right ones of twenty, if what is said were true
const EACH = 20;

const SCORE = {
  "ECE": (r, said) => Math.abs(said - r) / EACH,
  "overconfidence": (r, said) => (said - r) / EACH,
  "Brier score": (r, said) =>
    (r * (EACH - said) ** 2 + (EACH - r) * said ** 2) / EACH ** 3,
};
const rights = ({low, middle, high}) => [low, middle, high];
const parts = (name, state) => rights(state).map((r, i) => SCORE[name](r, SAID[i]));
const value = (name, state) => add(parts(name, state)) / SAID.length;

// What was said against what came true; a gap to the diagonal is what the ECE adds up.
const drawReliability = state => {
  const x = v => 60 + 220 * v;
  const y = v => 200 - 180 * v;
  return [
    ...[0, .5, 1].map(v => rule(60, 280, y(v)) + mark(42, y(v) + 4, v) + mark(x(v), 222, v)),
    line(`${x(0)},${y(0)} ${x(1)},${y(1)}`, `stroke="currentColor" ${DASHED}`),
    ...rights(state).map((r, i) => {
      const [said, right] = [SAID[i] / EACH, r / EACH];
      return `<path d="M${x(said)} ${y(said)}V${y(right)}" stroke="${HUE}" stroke-width="6"
        opacity=".4"/>` + dot(x(said), y(right));
    }),
    mark(170, 240, "share right over confidence")];
};

// The part of each group in what was chosen; bars below the line count as negative.
const drawParts = (name, state) => {
  const zero = name === "overconfidence" ? 110 : 200;
  const tall = name === "overconfidence" ? 90 : 180;
  return [
    rule(40, 300, zero, FAINT),
    ...parts(name, state).map((v, i) => {
      const x = 70 + 80 * i;
      const high = tall * v;
      return `<rect x="${x}" width="40" y="${Math.min(zero, zero - high)}"
        height="${Math.abs(high)}" fill="${HUE}"/>` +
        mark(x + 20, 222, `${100 * SAID[i] / EACH}\u00a0%`) +
        text(x + 20, Math.min(zero, zero - high) - 6, v.toFixed(2));
    }),
    mark(170, 240, `${name} of each group`)];
};

const judge = over => Math.abs(over) < 1e-12 ? "neither over- nor underconfident on average"
  : over > 0 ? "too confident on average" : "not confident enough on average";

const show = state => {
  const right = add(rights(state));
  return {
    panels: [
      svg(340, 250, "share right over confidence", drawReliability(state)),
      svg(340, 250, `${state.choice} of each group`, drawParts(state.choice, state))],
    said: `<b>${state.choice} = ${value(state.choice, state).toFixed(4)}</b>: ${right} of ` +
      `${SAID.length * EACH} right, ${judge(value("overconfidence", state))}.`,
    rows: NAMES.map(o => [o, MEANING[o], value(o, state).toFixed(4)]),
  };
};
