// Rows of a file as counts: which column is what, which outcome is right, and what is refused.
//
// `given` has the names of columns (`columns`) and the words of outcomes (`pairs`), both those of
// the Python package. A refusal is an error whose message says what to choose. Nothing here
// touches the page.

const refuse = message => { throw new Error(message); };
const list = names => names.map(o => `'${o}'`).join(", ");
const simplify = name => name.trim().toLowerCase().replaceAll(/[ -]/g, "_");

const RIGHT = new Set(given.pairs.map(pair => pair[0]));
const KNOWN = new Set(given.pairs.flat());
const MOST_VALUES = 20; // A column with more values is no setting

// Cells of the CSV lines of a text. A quoted cell may hold separators and line breaks, so a text is
// cut where a row ends: `rest` is what belongs to the next piece.
const splitCsv = (text, separator, last) => {
  const rows = [];
  if (!text.includes('"')) {
    const end = last ? text.length : text.lastIndexOf("\n") + 1;
    for (const line of text.slice(0, end).split("\n")) {
      const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
      if (whole) rows.push(whole.split(separator));
    }
    return {rows, rest: text.slice(end)};
  }
  let [row, cell, quoted, start] = [[], "", false, 0];
  const endRow = place => {
    row.push(cell);
    if (row.length > 1 || row[0]) rows.push(row);
    [row, cell, start] = [[], "", place];
  };
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[i + 1] === '"') { cell += '"'; i++; }
      else quoted = false;
    } else if (letter === '"' && !cell) quoted = true;
    else if (letter === separator) { row.push(cell); cell = ""; }
    else if (letter === "\n") endRow(i + 1);
    else if (letter !== "\r") cell += letter;
  }
  if (!last) return {rows, rest: text.slice(start)};
  if (quoted) refuse("a quoted cell does not end; is the file cut off?");
  if (cell || row.length) endRow(text.length);
  return {rows, rest: ""};
};

// Which column plays a part: the one chosen, or the only one that is called so.
const findColumn = (part, columns, chosen) => {
  if (chosen[part] === "") return null;
  if (chosen[part]) {
    return columns.includes(chosen[part]) ? chosen[part]
      : refuse(`no column '${chosen[part]}'; there are ${list(columns)}`);
  }
  const names = given.columns[part];
  const found = columns.filter(o => names.includes(simplify(o)));
  const taken = Object.values(chosen);
  const free = found.filter(o => !taken.includes(o));
  if (free.length < 2) return free[0] ?? null;
  // A run numbers the samples where no other column does.
  const others = part === "sample" ? free.filter(o => !/^run(_id)?$/.test(simplify(o))) : free;
  if (others.length === 1) return others[0];
  return refuse(`ambiguous: ${list(others)} could hold the ${part}; choose one below`);
};

// Reads a file piece by piece and counts right answers per model and question.
class Counter {
  constructor(chosen = {}, missing = "refuse") {
    this.chosen = chosen;
    this.missing = missing;
    this.form = null; // "csv", "lines" or "array"
    this.rest = "";
    this.columns = null;
    this.rows = 0;
    this.absent = 0; // Samples without an outcome
    this.firstAbsent = null;
    this.models = new Map(); // Model to a map of question to {n, c}
    this.judged = new Map(); // Outcomes that were seen, and what they count
    this.values = new Map(); // Unused columns that may be settings, and their values
  }

  push(text, last = false) {
    this.rest += text;
    if (!this.form) this.sniff(last);
    if (this.form === "array") { if (last) this.takeArray(); return; }
    if (!this.form) return;
    if (this.form === "lines") this.takeLines(last);
    else this.takeCsv(last);
  }

  sniff(last) {
    const start = this.rest.replace(/^\uFEFF/, "").trimStart();
    if (!start) { if (last) refuse("the file is empty"); return; }
    if (/^(PAR1|PK|\x1f\x8b|\x28\xb5\x2f\xfd)/.test(start) || start.includes("\0")) {
      refuse("this is no text; sampling-eval reads Parquet, archives and .eval logs: "
        + "pip install 'sampling_eval[all]', then sampling-eval score FILE");
    }
    const line = start.indexOf("\n");
    if (line < 0 && !last && start[0] !== "[") return;
    this.rest = start;
    this.form = start[0] === "[" ? "array" : start[0] === "{" ? "lines" : "csv";
  }

  takeArray() {
    let records;
    try { records = JSON.parse(this.rest); } catch { refuse("this is no JSON: the array ends early"); }
    this.rest = "";
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
        refuse(`line ${this.rows + 1} is no JSON object; one row per line is read here, `
          + "logs of a harness by sampling-eval score FILE");
      }
      this.takeRecord(record);
    }
  }

  takeRecord(record) {
    if (record === null || typeof record !== "object" || Array.isArray(record)) {
      refuse(`row ${this.rows + 1} is no object with named fields`);
    }
    if (!this.columns) this.choose(Object.keys(record));
    // A later row may have more fields; a part that has no column yet stays without one.
    this.take(this.names.map(name => record[name]));
  }

  takeCsv(last) {
    if (!this.columns) {
      const head = this.rest.split("\n", 1)[0];
      const many = mark => head.split(mark).length;
      this.separator = [",", "\t", ";"].sort((a, b) => many(b) - many(a))[0];
    }
    const {rows, rest} = splitCsv(this.rest, this.separator, last);
    this.rest = rest;
    let start = 0;
    if (!this.columns && rows.length) {
      this.choose(rows[0].map(name => name.trim()));
      this.places = this.names.map(name => this.columns.indexOf(name));
      start = 1;
    }
    for (let i = start; i < rows.length; i++) {
      const row = rows[i];
      if (row.length !== this.columns.length) {
        refuse(`row ${this.rows + 1} has ${row.length} cells, the head has ${this.columns.length}`);
      }
      this.take(this.places.map(place => row[place]));
    }
  }

  // The columns read, in the order of `take`; unused ones come last.
  choose(columns) {
    if (new Set(columns).size < columns.length) refuse("two columns have the same name");
    this.columns = columns;
    this.parts = {};
    const counts = ["n", "c"].every(o => columns.includes(o)) && !this.chosen.correct;
    for (const part of ["question", "sample", "correct", "model"]) {
      this.parts[part] = counts && (part === "correct" || part === "sample")
        ? null : findColumn(part, columns, this.chosen);
    }
    // Scores of 0 and 1 are outcomes where no column is called so.
    if (!counts && !this.parts.correct && this.chosen.correct === undefined) {
      this.parts.correct = findColumn("score", columns, this.chosen);
    }
    if (!this.parts.question) refuse(tellMissing("question", columns));
    if (!this.parts.correct && !counts) refuse(tellMissing("outcome", columns));
    this.counts = counts;
    const used = Object.values(this.parts);
    const unused = columns.filter(o => !used.includes(o) && !(counts && (o === "n" || o === "c")));
    this.names = counts ? [this.parts.question, this.parts.model, "n", "c"]
      : [this.parts.question, this.parts.model, this.parts.sample, this.parts.correct];
    this.spare = unused;
    for (const name of unused) this.values.set(name, new Set());
    this.names = [...this.names, ...unused];
  }

  take(cells) {
    this.rows++;
    const [question, model, third, fourth] = cells;
    if (this.values.size) this.watch(cells);
    const state = this.findState(this.parts.model ? String(model) : "", question);
    if (this.counts) return this.takeCounts(state, third, fourth);
    if (this.parts.sample) this.refuseTwice(state, question, third);
    const right = this.judge(fourth);
    if (right === null) return;
    state.n++;
    state.c += right;
  }

  // The counts of a question of a model.
  findState(model, question) {
    let questions = this.models.get(model);
    if (!questions) this.models.set(model, questions = new Map());
    const name = String(question);
    let state = questions.get(name);
    if (state) return state;
    if (isAbsent(question)) refuse(`row ${this.rows} has no question`);
    if (typeof question === "object") refuse(`the question of row ${this.rows} is no name`);
    questions.set(name, state = {n: 0, c: 0});
    return state;
  }

  takeCounts(state, n, c) {
    const [all, right] = [Number(n), Number(c)];
    if (!Number.isInteger(all) || !Number.isInteger(right) || right < 0 || right > all
        || isAbsent(n) || isAbsent(c)) {
      refuse(`row ${this.rows}: counts must be whole numbers with 0 <= c <= n, got n=${n}, c=${c}`);
    }
    if (state.n) refuse(`row ${this.rows}: this question was counted before`);
    state.n = all;
    state.c = right;
  }

  refuseTwice(state, question, sample) {
    state.samples ??= new Set();
    if (state.samples.has(sample)) {
      refuse(`row ${this.rows}: sample '${sample}' of question '${question}' was read before. `
        + "Is a column missing that tells the rows apart, such as the model?");
    }
    state.samples.add(sample);
  }

  // 1 right, 0 wrong, null where a sample without an outcome is excluded.
  judge(outcome) {
    let value = this.judged.get(outcome);
    if (value === undefined) {
      value = isAbsent(outcome) ? null : this.judgeWord(outcome);
      this.judged.set(outcome, value);
    }
    if (value !== null) return value;
    this.absent++;
    this.firstAbsent ??= this.rows;
    return this.missing === "wrong" ? 0 : null;
  }

  judgeWord(outcome) {
    const word = String(outcome).trim().toLowerCase();
    const plain = /^[01]\.0+$/.test(word) ? word[0] : word;
    if (KNOWN.has(plain)) return RIGHT.has(plain) ? 1 : 0;
    return refuse(`row ${this.rows}: '${outcome}' is no outcome of right or wrong`
      + (Number.isFinite(Number(word)) ? "; sampling-eval score reads graded scores" : ""));
  }

  // Values of the columns that are not used, while they are few.
  watch(cells) {
    for (let i = 0; i < this.spare.length; i++) {
      const held = this.values.get(this.spare[i]);
      if (!held || held.has(cells[4 + i])) continue;
      held.add(cells[4 + i]);
      if (held.size > MOST_VALUES) this.values.delete(this.spare[i]);
    }
  }

  // What was read, once the last piece is in.
  finish() {
    if (!this.rows) refuse("there is a head and no row");
    if (this.absent && this.missing === "refuse") {
      refuse(`${this.absent} of ${this.rows} samples have no outcome, the first in row `
        + `${this.firstAbsent}; choose below whether they are excluded or count as wrong`);
    }
    for (const held of this.models.values()) {
      const empty = [...held].find(([, {n}]) => !n);
      if (empty) refuse(`no sample of question '${empty[0]}' has an outcome`);
    }
    const settings = [...this.values].filter(([, held]) => held.size > 1)
      .map(([name, held]) => [name, held.size]);
    return {rows: this.rows, absent: this.absent, parts: this.parts, columns: this.columns,
      settings, models: this.models};
  }
}

const BLANK = new Set(given.blank);
const isAbsent = cell => cell === undefined || cell === null || BLANK.has(String(cell).trim());

const tellMissing = (what, columns) =>
  `which column holds the ${what}? There are ${list(columns)}; choose one below`;

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
