// Drawing: each gives a piece of SVG as text.
const HUE = "var(--hue)";
const FAINT = 'opacity=".6"';
const MIDDLE = 'text-anchor="middle"';
const DASHED = 'stroke-dasharray="4 3"';

const svg = (wide, tall, label, parts, look = "") =>
  `<svg viewBox="0 0 ${wide} ${tall}" role="img" aria-label="${label}" ${look}>` +
  parts.join("") + "</svg>";
const text = (x, y, words, look = MIDDLE) => `<text x="${x}" y="${y}" ${look}>${words}</text>`;
const mark = (x, y, words) => text(x, y, words, `${MIDDLE} ${FAINT}`);
const dot = (x, y, paint = HUE) => `<circle cx="${x}" cy="${y}" r="5" fill="${paint}"/>`;
const rule = (from, to, y, look = 'opacity=".2"') =>
  `<path d="M${from} ${y}H${to}" stroke="currentColor" ${look}/>`;
const line = (points, look) => `<polyline fill="none" points="${points}" ${look}/>`;
