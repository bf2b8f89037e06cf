// Columns without a known name that take the same values in every question: a setting that nobody
// named, unless they number the samples. As in the Python module reading/structure.

const FEW = 50; // Different values of a column that may tell systems apart
const FIRST = 10_000; // Rows that are looked at
const EVEN = .6; // Dispersion below which values lie evenly
const CHANCE = 1e-3; // Of a column without meaning to lie so

// Whether values count samples, from 0 or 1.
const areNumbers = values => {
  const numbers = values.map(o => /^(0|[1-9]\d*)$/.test(o) ? Number(o) : -1);
  const least = Math.min(...numbers);
  return (least === 0 || least === 1) && Math.max(...numbers) === least + values.length - 1;
};

// Chance of a chi-squared value of at most this, below its mean: the series of the gamma law.
const lowerTail = (square, df) => {
  if (square <= 0) return 0;
  const [half, size] = [square / 2, df / 2];
  let [term, total, at] = [1, 1, size];
  while (term > 1e-12 * total) total += term *= half / ++at;
  return Math.exp(size * Math.log(half) - half - logGamma(size + 1)) * total;
};

// Whether values lie more evenly over the questions than chance would have it: X^2 of question x
// value over its degrees of freedom is 0 for a design and 1 for chance.
const isDesigned = tables => {
  const rows = tables.map(o => [...o]).filter(o => add(o.map(([, count]) => count)) > 1);
  const columns = new Map();
  for (const [value, count] of rows.flat()) columns.set(value, (columns.get(value) ?? 0) + count);
  const df = (rows.length - 1) * (columns.size - 1);
  if (rows.length < 2 || columns.size < 2) return false;
  const times = [...columns.values()];
  const [total, most, least] = [add(times), Math.max(...times), Math.min(...times)];
  if (rows.length < 6 && most > 2 * least) return false; // Chance does as much in few questions
  const share = add(rows.map(o => {
    const size = add(o.map(([, count]) => count));
    return add(o.map(([value, count]) => count ** 2 / (size * columns.get(value))));
  }));
  const square = total * (share - 1);
  const even = square < 1e-9 * total ? 0 : square;
  return even / df < EVEN && lowerTail(even, df) < CHANCE;
};

// Columns that are not used, and how often each value stands in each question.
class Strays {
  constructor(columns, numbered) {
    this.numbered = numbered; // Whether a column numbers the samples
    this.columns = columns.map(({name, key}) => ({name, key, values: new Set()}));
    this.tables = new Map(); // Question to a count by value for each column
    this.rows = 0;
  }

  watch(question, row) {
    if (!this.columns.length || this.rows++ >= FIRST) return;
    let held = this.tables.get(question);
    if (!held) this.tables.set(question, held = new Map());
    for (const one of this.columns) {
      const value = flatten(row[one.key]) ?? null;
      one.values.add(value);
      if (one.values.size > FEW) {
        this.columns = this.columns.filter(o => o !== one);
        continue;
      }
      const counts = held.get(one.name) ?? new Map();
      held.set(one.name, counts.set(value, (counts.get(value) ?? 0) + 1));
    }
  }

  refuseCrossed() {
    for (const {name, values} of this.columns) {
      if (values.size < 2) continue;
      const tables = [...this.tables.values()].map(o => o.get(name));
      if (!isDesigned(tables)) continue;
      const once = tables.every(o => Math.max(...o.values()) === 1);
      const all = [...values].map(String);
      if (once && (this.numbered || areNumbers(all))) continue;
      const first = all.sort().slice(0, 2).map(o => `'${o}'`).join(", ");
      refuse(`column '${name}' takes the same values (${first}${all.length > 2 ? ", ..." : ""}) in `
        + "every question: a model, a setting or the sample? Choose it below, or leave it out if "
        + "it changes nothing", null, name);
    }
  }

  // What a reader should know of, while its values are few.
  list() {
    return this.columns.filter(({values}) => 1 < values.size && values.size <= 20)
      .map(({name, values}) => [name, values.size]);
  }
}
