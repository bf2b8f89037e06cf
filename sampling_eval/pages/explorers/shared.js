// What several explorers draw.

// One line for each name, that of the choice in colour; `points` gives the corners of a line.
const drawLines = (names, choice, points) => [
  ...names.filter(o => o !== choice).map(o =>
    line(points(o), 'stroke="currentColor" opacity=".45"')),
  line(points(choice), `stroke="${HUE}" stroke-width="3"`)];

// Names beside the right ends of lines, moved apart where lines end together.
const GAP = 12;
const nameLines = (names, choice, x, height) => {
  const ends = names.map(name => ({name, y: height(name)})).sort((a, b) => a.y - b.y);
  ends.forEach((o, i) => { if (i) o.y = Math.max(o.y, ends[i - 1].y + GAP); });
  let lowest = 204;
  for (const o of [...ends].reverse()) {
    o.y = Math.min(o.y, lowest);
    lowest = o.y - GAP;
  }
  return ends.map(({name, y}) => text(x, y + 3, name, 'font-size="10" ' +
    (name === choice ? `fill="${HUE}" font-weight="700"` : FAINT)));
};
const endBefore = names => 328 - 6.3 * Math.max(...names.map(o => o.length));

// Every metric over k from 1 to n, that of the choice with a dot at k.
const drawOverK = (names, choice, n, k, value) => {
  const right = endBefore(names);
  const x = at => n === 1 ? (40 + right) / 2 : 40 + (right - 40) * (at - 1) / (n - 1);
  const y = v => 200 - 180 * v;
  const points = name =>
    Array.from({length: n}, (_, i) => x(i + 1) + "," + y(value(name, i + 1))).join(" ");
  return [
    ...[0, .5, 1].map(v => rule(40, right, y(v)) + mark(22, y(v) + 4, v)),
    ...drawLines(names, choice, points),
    dot(x(k), y(value(choice, k))),
    ...nameLines(names, choice, right + 8, o => y(value(o, n))),
    mark(x(1), 222, 1),
    mark(x(n), 222, n > 1 ? n : ""),
    mark((40 + right) / 2, 240, "over k")];
};
