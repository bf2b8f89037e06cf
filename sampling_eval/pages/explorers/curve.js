// Two systems over the budget k: their difference, its interval, and who is ahead.

const verdict = (low, high, [first, second]) =>
  low > 0 ? `${second} is ahead` : high < 0 ? `${first} is ahead` : "inconclusive";
const digits = v => v.toFixed(3).replace("-", "\u2212");

const HEIGHT = 250;
const LEFT = 40;

// Names at the ends of two curves that end close to each other: one goes up, the other down.
const shiftName = (gap, apart, i) => {
  if (Math.abs(apart) >= 14) return 4;
  return gap > 0 || gap === 0 && i ? -3 : 11;
};

// Curves over k on a logarithmic axis: dots at the k chosen, and a band around zero or none.
const drawCurves = (k, at, right, curves, band, label) => {
  const logs = k.map(Math.log2);
  const last = k.length - 1;
  const span = logs[last] - logs[0] || 1;
  const all = [...curves.flatMap(o => o.values), ...band.flat(), ...(band.length ? [0] : [])];
  const top = Math.max(...all);
  const bottom = Math.min(...all);
  const x = i => LEFT + (right - LEFT) * (logs[i] - logs[0]) / span;
  const y = v => 14 + (HEIGHT - 64) * (top - v) / (top - bottom || 1);
  const corners = values => values.map((v, i) => x(i) + "," + y(v));
  const left = (h, words) => text(LEFT - 6, h, words, `text-anchor="end" ${FAINT}`);
  const parts = [];
  if (band.length) {
    const [low, high] = band.map(corners);
    parts.push(rule(LEFT, right, y(0), DASHED));
    parts.push(`<polygon fill="${HUE}" opacity=".2"
      points="${[...low, ...high.reverse()].join(" ")}"/>`);
  }
  curves.forEach(({name, values, hue}, i) => {
    const paint = hue ? HUE : "currentColor";
    const dash = hue ? "" : 'stroke-dasharray="7 4"';
    const gap = curves.length > 1 ? values[last] - curves[1 - i].values[last] : Infinity;
    const shift = shiftName(gap, y(gap) - y(0), i);
    parts.push(line(corners(values).join(" "), `stroke="${paint}" stroke-width="2.2" ${dash}`));
    parts.push(dot(x(at), y(values[at]), paint));
    parts.push(text(right + 6, y(values[last]) + shift, name, 'text-anchor="start"'));
  });
  parts.push(left(y(top) + 4, top.toFixed(2)), left(y(bottom) + 4, bottom.toFixed(2)));
  parts.push(...[0, last].map(i => mark(x(i), HEIGHT - 24, k[i])));
  parts.push(mark((LEFT + right) / 2, HEIGHT - 6, label));
  return svg(340, HEIGHT, label, parts, 'style="max-width: 32rem"');
};

const show = ({at, k, difference, low, high, a, b, names}) => {
  const [first, second] = names;
  const longest = a && b ? Math.max(...names.map(o => o.length)) : 0;
  const right = Math.max(200, 326 - 7 * longest);
  const apart = {name: "", values: difference, hue: true};
  const title = `${second} \u2212 ${first}`;
  const panels = [
    drawCurves(k, at, right, [apart], [low, high], `${title} over k, with its interval`)];
  if (a && b) {
    const both = [{name: first, values: a}, {name: second, values: b, hue: true}];
    panels.push(drawCurves(k, at, right, both, [], "both over k"));
  }
  const ends = `interval ${digits(low[at])} to ${digits(high[at])}`;
  return {panels, rows: [],
    said: `<b>k = ${k[at]}: ${verdict(low[at], high[at], names)}.</b> ` +
      `${title} = ${digits(difference[at])}, ${ends}.`};
};
