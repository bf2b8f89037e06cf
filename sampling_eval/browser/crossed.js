// Columns without a known name that take the same values in every question: a setting that nobody
// named, unless they number the samples. As in the Python module io/ambiguity_checks.

const FEW = 50; // Different values of a column that may tell systems apart
const FIRST = 10_000; // Rows that are looked at
const CROSSED = 1e-3; // Chance of a column without meaning to look like one

// Whether values count samples, from 0 or 1.
const areNumbers = values => {
  const numbers = values.map(o => /^(0|[1-9]\d*)$/.test(o) ? Number(o) : -1);
  const least = Math.min(...numbers);
  return (least === 0 || least === 1) && Math.max(...numbers) === least + values.length - 1;
};

// Whether nearly every question has each value equally often, beyond chance: values that fall at
// random have the composition of the others with a multinomial distribution's chance at its mode.
const isCrossed = tables => {
  const shapes = new Map();
  for (const counts of tables) {
    const key = JSON.stringify([...counts].sort());
    shapes.set(key, (shapes.get(key) ?? 0) + 1);
  }
  const [key, most] = [...shapes].reduce((best, o) => o[1] > best[1] ? o : best);
  const counts = JSON.parse(key).map(([, count]) => count);
  const [questions, equal] = [tables.length - 1, most - 1];
  if (counts.length < 2 || equal < Math.max(1, .9 * questions)) return false;
  const times = add(counts);
  const mode = Math.exp(logGamma(times + 1)
    + add(counts.map(o => o * Math.log(o / times) - logGamma(o + 1))));
  const share = equal / questions;
  const miss = share < 1 ? (1 - share) * Math.log((1 - share) / (1 - mode)) : 0;
  const gain = share * Math.log(share / mode) + miss;
  return share > mode && Math.exp(-questions * gain) < CROSSED;
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
      if (!isCrossed(tables)) continue;
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
