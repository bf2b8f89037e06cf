// Chances of 0 to n right answers, each right with chance p. From the likeliest number outwards,
// so that nothing overflows and small chances keep their digits.
const chances = (n, p) => {
  const out = Array(n + 1).fill(0);
  const top = Math.min(n, Math.floor((n + 1) * p));
  out[top] = 1;
  for (let c = top; c < n; c++) out[c + 1] = out[c] * (n - c) / (c + 1) * (p / (1 - p));
  for (let c = top; c > 0; c--) out[c - 1] = out[c] * c / (n - c + 1) * ((1 - p) / p);
  const all = add(out);
  return out.map(o => o / all);
};
