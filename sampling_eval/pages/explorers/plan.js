// How narrow an interval so many questions and samples will give.
//
// Rates are percents, shares twentieths, half-widths tenths of a point, and 1.96 is exact: whether
// a plan is enough is decided in whole numbers below 2^53. A target counts the part of an outcome's
// variance that lies between questions, and the part within them, which n samples divide.

const PARTS = {
  "new questions": rho => [rho, 20 - rho],
  "same questions": rho => [0, 20 - rho],
  "all samples independent": () => [0, 20],
};
const NAMES = Object.keys(PARTS);

const needed = (name, n, rate, rho) => {
  const [between, within] = PARTS[name](rho);
  return 38416 * rate * (100 - rate) * (between * n + within);
};
// Half of the width, in tenths of a point.
const half = (name, questions, n, rate, rho) =>
  Math.sqrt(needed(name, n, rate, rho) / (2000 * questions * n));
const leastQuestions = (name, n, rate, rho, aim) =>
  Math.max(1, Math.ceil(needed(name, n, rate, rho) / (2000 * aim * aim * n)));
// The least samples of each question that are enough; null if no number is.
const leastSamples = (name, questions, rate, rho, aim) => {
  const [between, within] = PARTS[name](rho);
  const one = 38416 * rate * (100 - rate);
  const room = 2000 * aim * aim * questions - one * between;
  if (one * within === 0) return room < 0 ? null : 1;
  return room <= 0 ? null : Math.max(1, Math.ceil(one * within / room));
};

const points = tenths => (tenths / 10).toFixed(1);

// Half-widths over a number of samples or questions, on a logarithmic axis.
const drawOver = (label, from, to, now, aim, choice, value) => {
  const top = Math.max(aim * 1.25, ...NAMES.map(o => value(o, now) * 1.6));
  const right = endBefore(NAMES);
  const x = v => 40 + (right - 40) * Math.log(v / from) / Math.log(to / from);
  const y = v => 200 - 180 * v / top;
  const steps = Array.from({length: 61}, (_, i) => from * (to / from) ** (i / 60));
  const corners = name => steps.filter(v => value(name, v) <= top)
    .map(v => x(v).toFixed(1) + "," + y(value(name, v)).toFixed(1)).join(" ");
  return [
    ...[0, top].map(v => rule(40, right, y(v)) + mark(20, y(v) + 4, points(v))),
    rule(40, right, y(aim), DASHED),
    text(20, y(aim) + 4, points(aim)),
    ...drawLines(NAMES, choice, corners),
    dot(x(now), y(value(choice, now))),
    ...nameLines(NAMES, choice, right + 8, o => y(Math.min(top, value(o, to)))),
    mark(x(from), 222, from), mark(x(to), 222, commas(to)),
    mark((40 + right) / 2, 240, label)];
};

const advise = (name, {questions, n, rate, rho, aim}) => {
  const more = leastSamples(name, questions, rate, rho, aim);
  const enough = leastQuestions(name, n, rate, rho, aim);
  const first = more === null ? "no number of samples is enough for these questions"
    : `${many(more, "sample")} of each of these questions`;
  return `For \u00b1 ${points(aim)}: ${first}; with ${many(n, "sample")}, ` +
    `${many(enough, "question")}.`;
};

const show = state => {
  const {questions, n, rate, rho, aim, choice} = state;
  const worth = 20 * questions * n / (rho * n + 20 - rho);
  const say = name => `\u00b1 ${points(half(name, questions, n, rate, rho))} points`;
  return {
    panels: [
      svg(340, 250, "half-width over the samples of a question", drawOver(
        "\u00b1 points over samples a question", 1, 256, n, aim, choice,
        (name, v) => half(name, questions, v, rate, rho))),
      svg(340, 250, "half-width over the questions", drawOver(
        "\u00b1 points over questions", 10, 1000, questions, aim, choice,
        (name, v) => half(name, v, n, rate, rho)))],
    said: `<b>${say(choice)}, ${choice}.</b> ${advise(choice, state)} For new questions ` +
      `the ${commas(questions * n)} samples are worth ${+worth.toFixed(1)} independent ones.`,
    rows: NAMES.map(o => {
      const least = leastSamples(o, questions, rate, rho, aim);
      return [o, say(o), least === null ? "never enough" : `enough: ${many(least, "sample")}`];
    }),
  };
};
