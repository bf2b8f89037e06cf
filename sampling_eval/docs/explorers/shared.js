// What several explorers draw.

// One line for each name, that of the choice in colour; `points` gives the corners of a line.
const drawLines = (names, choice, points) => [
  ...names.filter(o => o !== choice).map(o =>
    line(points(o), 'stroke="currentColor" opacity=".45"')),
  line(points(choice), `stroke="${HUE}" stroke-width="3"`)];

// Every metric over k from 1 to n, that of the choice with a dot at k.
const drawOverK = (names, choice, n, k, value) => {
  const x = at => n === 1 ? 180 : 40 + 285 * (at - 1) / (n - 1);
  const y = v => 200 - 180 * v;
  const points = name =>
    Array.from({length: n}, (_, i) => x(i + 1) + "," + y(value(name, i + 1))).join(" ");
  return [
    ...[0, .5, 1].map(v => rule(40, 325, y(v)) + mark(22, y(v) + 4, v)),
    ...drawLines(names, choice, points),
    dot(x(k), y(value(choice, k))),
    mark(x(1), 222, 1),
    mark(x(n), 222, n > 1 ? n : ""),
    mark(182, 240, `${choice} over k (thin: the others)`)];
};
