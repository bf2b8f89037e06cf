// The beta distribution: its chance below x, and its quantiles.

// Lanczos's sum for the logarithm of the gamma function.
const GAMMA = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];
const logGamma = x => {
  const t = x + 6.5;
  const sum = GAMMA.reduce((s, o, i) => s + o / (x + i), 0.99999999999980993);
  return Math.log(2 * Math.PI) / 2 + (x - .5) * Math.log(t) - t + Math.log(sum);
};

// Continued fraction of the incomplete beta function, by Lentz's method.
const fraction = (x, a, b) => {
  const away = v => Math.abs(v) < 1e-300 ? 1e-300 : v;  // from zero, which divides below
  let c = 1;
  let d = 1 / away(1 - (a + b) * x / (a + 1));
  let h = d;
  for (let m = 1; m < 3000; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    h *= c * d;
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    h *= c * d;
    if (Math.abs(c * d - 1) < 1e-14) break;
  }
  return h;
};

// Chance of a beta distribution below x, and its quantile by halving.
const below = (x, a, b) => {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const all = logGamma(a + b) - logGamma(a) - logGamma(b);
  const front = Math.exp(all + a * Math.log(x) + b * Math.log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * fraction(x, a, b) / a;
  return 1 - front * fraction(1 - x, b, a) / b;
};
const quantile = (q, a, b) => {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (below(middle, a, b) < q) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};
