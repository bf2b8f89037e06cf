// Gaffke's interval for the mean of values in [0, 1], which assumes nothing of their distribution.
//
// Each limit is where P(sum of G_j (value_j - m) > 0) falls to `tail`; the G_j are Gamma(times_j)
// and one more value is the end of the range. The chance is an integral along a path through its
// saddle, as in the Python module inference/gaffke.

// Where the integrand is smallest: the root of sum times z / (1 - s z) = 1 / s in (0, 1).
const findSaddle = (z, times) => {
  let s = 1 / (1 + times.reduce((sum, o) => sum + o, 0));
  for (let turn = 0; turn < 60; turn++) {
    let left = 0;
    let rise = 0;
    for (let j = 0; j < z.length; j++) {
      const pull = z[j] / (1 - s * z[j]);
      left += times[j] * pull;
      rise += times[j] * pull * pull;
    }
    // The root of p x^2 - b x + 1, which touches the left side at s, without cancellation.
    const q = rise * (1 - s) ** 2;
    const p = left - rise * (1 - s);
    const b = 1 + p + q;
    const root = Math.sqrt(b * b - 4 * p);
    const next = b > 0 ? 2 / (b + root) : (b - root) / (2 * p);
    const near = Math.abs(next - s) * Math.sqrt(rise + s ** -2) < 1e-3;
    s = next;
    if (near) break;
  }
  return s;
};

// Trapezoid sum along the bent path through s; null where the integrand ever grows on it.
const followPath = (z, times, s, width, bend) => {
  let sum = 0;
  let first = 0;
  let last = Infinity;
  for (let node = 0; node < 141; node++) {
    const t = .1 * node;
    const y = Math.sinh(t);
    const flat = 1 + Math.abs(bend) * y / .6;
    const real = s + width * bend * y * y / flat;
    const imaginary = width * y;
    let length = 0;
    let angle = 0;
    for (let j = 0; j < z.length; j++) {
      const x = 1 - real * z[j];
      const v = -imaginary * z[j];
      length -= times[j] * Math.log(x * x + v * v) / 2;
      angle -= times[j] * Math.atan2(v, x);
    }
    // exp(length + i angle) / u, times the slope of the path.
    const distance = Math.hypot(real, imaginary);
    const size = Math.exp(Math.min(length, 700)) / distance;
    if (node === 0) first = size;
    else if (size > last + 1e-12 * first) return null;
    last = size;
    const turn = angle - Math.atan2(imaginary, real);
    const cosh = Math.cosh(t);
    const along = width * bend * (2 * y + Math.abs(bend) / .6 * y * y) / flat ** 2 * cosh;
    const across = width * cosh;
    const part = size * (Math.cos(turn) * across + Math.sin(turn) * along);
    sum += node === 0 ? part / 2 : part;
    if (node >= 35 && size <= 1e-17 * first) break;
  }
  return .1 / Math.PI * sum;
};

const integrate = (z, times) => {
  const s = findSaddle(z, times);
  let second = 0;
  let third = 0;
  for (let j = 0; j < z.length; j++) {
    const pull = z[j] / (1 - s * z[j]);
    second += times[j] * pull ** 2;
    third += times[j] * pull ** 3;
  }
  const bend = Math.max(-1 / 3, Math.min(1 / 3, third / (3 * second ** 1.5)));
  const width = 1 / Math.sqrt(second + s ** -2);
  // Where the integrand grows, the path is bent too far; a straight one is always right.
  for (const part of [1, .5, .25, .125]) {
    const chance = followPath(z, times, s, width, part * bend);
    if (chance !== null) return chance;
  }
  return followPath(z, times, s, width, 0) ?? NaN;
};

// P(sum of Gamma(times_j) z_j > 0); the quadrature is accurate for the smaller tail.
const tailChance = (z, times) => {
  const turned = z.reduce((sum, o, j) => sum + times[j] * o, 0) > 0;
  const most = Math.max(...z.map(o => turned ? -o : o));
  if (most <= 0) return turned ? 1 : 0;
  const chance = integrate(z.map(o => (turned ? -o : o) / most), times);
  return turned ? 1 - chance : chance;
};

// The limit that the mean of values of at most 1 exceeds with at most the chance `tail`.
const upperLimit = (values, times, tail) => {
  const count = times.reduce((sum, o) => sum + o, 0);
  const average = values.reduce((sum, o, j) => sum + times[j] * o, 0) / count;
  if (Math.min(...values) === 1) return 1;
  const weights = [...times, 1];
  const excess = m => {
    const chance = tailChance([...values.map(o => o - m), 1 - m], weights);
    return Math.log(Math.max(chance, 1e-300)) - Math.log(tail);
  };
  // The Illinois method: a secant whose idle end is halved, so that both ends move.
  let [low, high] = [average, 1];
  let [atLow, atHigh] = [excess(low), Math.log(1e-300) - Math.log(tail)];
  let side = 0;
  for (let turn = 0; turn < 200 && high - low > 1e-14; turn++) {
    const secant = (low * atHigh - high * atLow) / (atHigh - atLow);
    // Far out the logarithm is no line, and half of the way is better.
    const m = turn % 3 === 2 || atHigh < -20 ? (low + high) / 2 : secant;
    const value = excess(m);
    if (Math.abs(value) < 1e-13) return m;
    if (value > 0) {
      [low, atLow] = [m, value];
      if (side === 1) atHigh /= 2;
      side = 1;
    } else {
      [high, atHigh] = [m, value];
      if (side === -1) atLow /= 2;
      side = -1;
    }
  }
  return (low + high) / 2;
};

// Both limits at a level; `values` lie in [0, 1], and each occurs `times`.
const gaffkeInterval = (values, times, level = .95) => {
  const tail = (1 - level) / 2;
  return [1 - upperLimit(values.map(o => 1 - o), times, tail), upperLimit(values, times, tail)];
};
