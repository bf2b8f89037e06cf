// Metrics from counts: a question has c right answers of n samples, of which k are kept.

// Ways to keep k samples, by how many of them are right.
const subsets = (n, c, k) =>
  Array.from({length: k + 1}, (_, j) => choose(c, j) * choose(n - c, k - j));

// Logarithm of C(n - c, k) / C(n, k), the chance that none of k samples is right: min(c, k)
// factors, each near 1, so that small chances keep their digits.
const logNone = (n, c, k) => {
  if (n - c < k) return -Infinity;
  const [few, many] = c < k ? [c, k] : [k, c];
  let sum = 0;
  for (let i = 0; i < few; i++) sum += Math.log1p(-many / (n - i));
  return sum;
};

// Exact as far as all ways are whole numbers below 2^53.
const EXACT = 56;
const passAt = (n, c, k) => n > EXACT ? -Math.expm1(logNone(n, c, k))
  : (choose(n, k) - choose(n - c, k)) / choose(n, k);
const passHat = (n, c, k) => n > EXACT ? Math.exp(logNone(n, n - c, k))
  : choose(c, k) / choose(n, k);
