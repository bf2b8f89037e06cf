"""JavaScript that several explorers share: binomial coefficients and chances, and drawing.

A plain module: no notebook exports it.
"""
from __future__ import annotations

import json

__all__ = ["CHOOSE", "ADD", "CHANCES", "DRAW", "define_constant"]

# Whole numbers below 2^53, exact.
CHOOSE = """
const choose = (n, k) => {
  let ways = k < 0 || k > n ? 0 : 1;
  for (let i = 1; i <= k && ways; i++) ways = ways * (n - k + i) / i;
  return ways;
};
"""

ADD = """
const add = numbers => numbers.reduce((sum, o) => sum + o, 0);
"""

# From the likeliest number outwards, so that nothing overflows and small chances keep their digits.
CHANCES = ADD + """
const chances = (n, p) => {  // of 0 to n right answers
  const out = Array(n + 1).fill(0), top = Math.min(n, Math.floor((n + 1) * p));
  out[top] = 1;
  for (let c = top; c < n; c++) out[c + 1] = out[c] * (n - c) / (c + 1) * (p / (1 - p));
  for (let c = top; c > 0; c--) out[c - 1] = out[c] * c / (n - c + 1) * ((1 - p) / p);
  const all = add(out);
  return out.map(o => o / all);
};
"""

DRAW = """
const HUE = "var(--hue)", FAINT = ' opacity=".6"', MIDDLE = 'text-anchor="middle"';
const text = (x, y, words, look = MIDDLE) => `<text x="${x}" y="${y}" ${look}>${words}</text>`;
const svg = (wide, tall, label, parts, look = "") => `<svg viewBox="0 0 ${wide} ${tall}"
  role="img" aria-label="${label}" ${look}>${parts.join("")}</svg>`;
const rule = (from, to, y, look = 'opacity=".2"') =>
  `<path d="M${from} ${y}H${to}" stroke="currentColor" ${look}/>`;
const dot = (x, y) => `<circle cx="${x}" cy="${y}" r="5" fill="${HUE}"/>`;
const commas = n => String(n).replace(/\\B(?=(\\d{3})+$)/g, ",");
"""


def define_constant(
    name: str,  # What the script calls it
    value: object,  # Anything that JSON can hold
) -> str:  # JavaScript
    "A constant of a script, so that a table stands in Python only."
    return f"const {name} = {json.dumps(value)};"
