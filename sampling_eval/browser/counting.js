// Rows of a file as counts of right answers per model and question, and what is refused.
//
// A file comes in pieces of text: CSV, JSON lines, or an array of objects. A row is an array of
// cells or an object, and a part is read at `keys[part]` of it.

const MOST_TEXTS = 100_000; // Rows whose texts are looked at
const BINARY = /^(PAR1|PK|\x1f\x8b|\x28\xb5\x2f\xfd|\x93NUMPY)/;

class Counter {
  constructor({chosen = {}, ignored = [], missing = "refuse"} = {}) {
    Object.assign(this, {chosen, missing, ignored: new Set(ignored)});
    this.rest = "";
    this.form = null; // "csv", "lines" or "array"
    this.columns = null;
    this.rows = 0;
    this.absent = 0; // Samples without an outcome
    this.models = new Map(); // Model to a map of question to its counts
  }

  push(text, last = false) {
    this.rest += text;
    if (!this.form) this.findForm(last);
    if (this.form === "csv") this.takeCsv(last);
    if (this.form === "lines") this.takeLines(last);
    if (this.form === "array" && last) this.takeArray();
  }

  findForm(last) {
    const start = this.rest.replace(/^\uFEFF/, "").replace(/^\s+/, "");
    if (!start) { if (last) refuse("the file is empty"); return; }
    if (BINARY.test(start) || start.includes("\0")) {
      refuse("this is no text; sampling-eval score FILE reads Parquet, arrays, archives and logs");
    }
    if (!last && start[0] !== "[" && !start.includes("\n")) return;
    this.rest = start;
    this.form = {"[": "array", "{": "lines"}[start[0]] ?? "csv";
    this.outcomes = new Outcomes(this.form === "csv");
  }

  takeArray() {
    let records;
    try { records = JSON.parse(this.rest); } catch { refuse("this is no JSON; is it cut off?"); }
    this.rest = "";
    if (!records.length) refuse("there is no row");
    for (const record of records) this.takeRecord(record);
  }

  takeLines(last) {
    const end = last ? this.rest.length : this.rest.lastIndexOf("\n") + 1;
    const lines = this.rest.slice(0, end).split("\n");
    this.rest = this.rest.slice(end);
    for (const line of lines) {
      if (!line.trim()) continue;
      let record;
      try { record = JSON.parse(line); } catch {
        refuse(`row ${this.rows + 1} is no JSON object on a line of its own; the logs of a harness `
          + "are read by sampling-eval score FILE");
      }
      this.takeRecord(record);
    }
  }

  takeRecord(record) {
    if (record === null || typeof record !== "object" || Array.isArray(record)) {
      refuse(`row ${this.rows + 1} is no object with named fields`);
    }
    if (!this.columns) this.choose(Object.keys(record), record, name => name);
    for (const name in record) if (!this.held.has(name)) this.addField(name);
    this.take(record);
  }

  // A later row may have more fields, but none that would have changed how the first were read.
  addField(name) {
    this.held.add(name);
    const plain = simplify(name);
    const known = [...Object.values(given.columns), given.texts, given.sizes]
      .some(names => names.includes(plain));
    if (!this.ignored.has(name) && (known || given.kinds[plain])) {
      refuse(`row ${this.rows + 1} has a field '${name}' that the first row has not`, null, name);
    }
  }

  takeCsv(last) {
    if (!this.columns) this.separator = findSeparator(this.rest.split("\n", 1)[0]);
    const {rows, rest} = splitCsv(this.rest, this.separator, last);
    this.rest = rest;
    if (!this.columns && rows.length) {
      const columns = rows.shift().map(name => name.trim());
      this.choose(columns, rows[0] ?? [], name => columns.indexOf(name));
    }
    for (const row of rows) {
      if (row.length !== this.columns.length) {
        refuse(`row ${this.rows + 1} has ${many(row.length, "cell")}, the head has `
          + this.columns.length);
      }
      this.take(row);
    }
  }

  choose(columns, first, keyOf) {
    this.columns = columns;
    this.held = new Set(columns);
    this.examples = columns.map(o => first[keyOf(o)]);
    const found = assignColumns(columns, this.examples, this.chosen, this.ignored);
    const {parts, runs, tasks, marks, texts, spare} = found;
    const key = name => isNull(name) ? null : keyOf(name);
    this.parts = runs.length ? {...parts, runs: `${runs[0]}..${endOf(runs)}`} : parts;
    this.runs = runs.map(key);
    this.list = found.list !== null;
    this.guess = found.guess;
    this.keys = Object.fromEntries(Object.entries(parts).map(([part, name]) => [part, key(name)]));
    this.tasks = tasks.map(key);
    this.marks = marks.map(name => ({name, key: key(name), text: texts.includes(name)}));
    this.texts = texts.map(name => ({key: key(name), times: new Map()}));
    this.strays = new Strays(spare.map(name => ({name, key: key(name)})), Boolean(parts.sample));
    this.named = given.runs.includes(simplify(parts.sample ?? "")) && !this.chosen.sample
      ? new Set() : null; // Kinds of names of the runs
  }

  take(row) {
    this.rows++;
    const {keys} = this;
    const state = this.findState(row);
    if (this.marks.length) this.checkMarks(state, row);
    this.strays.watch(state, row);
    if (this.runs.length || this.list || keys.n !== undefined) this.refuseSecond(state);
    if (keys.n !== undefined) return this.takeTotals(state, row[keys.n], row[keys.c]);
    if (this.texts.length && this.rows <= MOST_TEXTS) this.countTexts(row);
    if (keys.sample !== null) this.refuseTwice(state, row);
    if (this.list) this.takeList(state, row);
    else if (!this.runs.length) this.takeSample(state, row, row[keys.correct]);
    else for (const key of this.runs) this.takeSample(state, row, row[key]);
  }

  takeList(state, row) {
    const outcomes = row[this.keys.correct];
    if (!Array.isArray(outcomes)) {
      refuse(`row ${this.rows}: '${this.parts.correct}' must hold a list in every row`, "correct");
    }
    for (const outcome of outcomes) this.takeSample(state, row, outcome);
  }

  takeSample(state, row, outcome) {
    const right = this.outcomes.read(outcome, this.rows);
    if (right === null) return this.takeAbsent(state, row);
    state.n++;
    state.c += right;
  }

  // Where only samples stand in a row, its number is the question.
  questionOf(row) {
    return this.keys.question === null ? String(this.rows) : row[this.keys.question];
  }

  // The counts of a question of a model.
  findState(row) {
    const model = this.keys.model === null ? "" : this.name("model", row[this.keys.model]);
    let questions = this.models.get(model);
    if (!questions) this.models.set(model, questions = new Map());
    let name = this.questionOf(row);
    if (this.tasks.length) {
      name = [...this.tasks.map(key => row[key]), this.name("question", name)].join("\u001f");
    }
    let state = questions.get(name);
    if (state) return state;
    const checked = this.name("question", name);
    state = questions.get(checked) ?? {n: 0, c: 0};
    questions.set(checked, state);
    return state;
  }

  // A name as text; JSON may write it as a number.
  name(part, value) {
    if (typeof value === "string" && !BLANK.has(value)) return value;
    if (Number.isSafeInteger(value)) return String(value);
    if (isUnnamed(value)) refuse(`every row needs a ${part}, got none in row ${this.rows}`, part);
    if (part !== "model") {
      refuse(`row ${this.rows}: a ${part} must be text or a whole number, got `
        + JSON.stringify(value), part);
    }
    return String(value);
  }

  takeTotals(state, n, c) {
    const [all, right] = [n, c].map(o => NUMBER.test(o) ? Number(o) : NaN);
    if (!(Number.isInteger(all) && Number.isInteger(right) && 0 <= right && right <= all)) {
      refuse(`row ${this.rows}: need whole numbers 0 <= c <= n, got n=${n}, c=${c}`);
    }
    Object.assign(state, {n: all, c: right});
  }

  refuseSecond(state) {
    if (state.counted) {
      refuse(`row ${this.rows}: each question must appear once where a row holds all of its `
        + "samples; if a column tells the rows apart, choose it below as the model", "model");
    }
    state.counted = true;
  }

  takeAbsent(state, row) {
    this.absent++;
    this.firstAbsent ??= this.questionOf(row);
    if (this.missing === "wrong") state.n++;
  }

  refuseTwice(state, row) {
    const sample = this.name("sample", row[this.keys.sample]);
    this.named?.add(sample.toLowerCase().replaceAll(/[0-9a-f]{8,}|[0-9]+/g, "#"));
    state.samples ??= new Set();
    if (state.samples.has(sample)) {
      refuse(`each sample must appear once, got sample '${sample}' of question `
        + `'${this.questionOf(row)}' again in row ${this.rows}; if a column tells them apart, `
        + "choose it below as the model or the sample", "model");
    }
    state.samples.add(sample);
  }

  // A question has one setting and one text.
  checkMarks(state, row) {
    state.marks ??= this.marks.map(() => undefined);
    for (let i = 0; i < this.marks.length; i++) {
      const {name, key, text} = this.marks[i];
      const value = flatten(row[key]);
      if (value === state.marks[i] || text && !value) continue;
      if (state.marks[i] === undefined) { state.marks[i] = value; continue; }
      const question = this.questionOf(row);
      const got = text ? "two texts" : `'${state.marks[i]}' and '${value}'`;
      refuse(`a question needs rows of one ${name}, got ${got} for question '${question}' (row `
        + `${this.rows}); choose it below as the model to tell them apart, or leave it out`,
      null, name);
    }
  }

  countTexts(row) {
    for (const {key, times} of this.texts) {
      const text = flatten(row[key]);
      times.set(text, (times.get(text) ?? 0) + 1);
    }
  }

  // What was read, once the last piece is in.
  finish() {
    if (!this.rows) refuse("there is a head and no row");
    if (this.named?.size > 1) {
      refuse(`${this.parts.sample} must number the samples, got several names; choose it below as `
        + "the model if each is one, or as the sample if they are draws of one model", "sample");
    }
    if (this.absent && this.missing === "refuse") {
      const have = this.absent === 1 ? "sample has" : "samples have";
      refuse(`${commas(this.absent)} ${have} no outcome (question '${this.firstAbsent}'); choose `
        + "below whether it counts as wrong or is excluded", "missing");
    }
    for (const questions of this.models.values()) {
      for (const [name, {n}] of questions) {
        if (!n) refuse(`every question needs a sample with an outcome, got none at '${name}'`);
      }
    }
    this.refuseGuess();
    this.refuseRowNames();
    this.strays.refuseCrossed();
    return {rows: this.rows, absent: this.absent, parts: this.parts, columns: this.columns,
      settings: this.strays.list(), models: this.models};
  }

  // A question that was guessed was tried several times, or numbers the rows.
  refuseGuess() {
    const names = [...new Set([...this.models.values()].flatMap(o => [...o.keys()]))];
    const tried = 1 < names.length && names.length < this.rows;
    if (this.guess === "task" && !tried || this.guess === "row" && !areNumbers(names)) {
      tellMissing("question", this.columns);
    }
  }

  // Names that number the rows, where the text of the question repeats.
  refuseRowNames() {
    if (!this.texts.length || this.chosen.question || this.rows < 3) return;
    const sizes = [...this.models.values()].flatMap(o => [...o.values()].map(({n}) => n));
    if (Math.max(...sizes) > 1) return;
    const repeats = ({times}) => {
      const often = add([...times.values()].filter(o => o > this.models.size));
      return times.size > 1 && often >= .5 * Math.min(this.rows, MOST_TEXTS);
    };
    if (!this.texts.every(repeats)) return;
    refuse(`most of the ${this.rows} rows share their text with another, but no two their `
      + `'${this.parts.question}'; choose below which column is the question`, "question");
  }
}

const flatten = value => typeof value === "object" ? JSON.stringify(value) : value;

// Distinct states of the questions of a model.
const listStates = questions => {
  const states = new Map();
  for (const {n, c} of questions.values()) {
    const key = `${n},${c}`;
    const held = states.get(key);
    if (held) held.times++;
    else states.set(key, {n, c, times: 1});
  }
  return [...states.values()];
};
