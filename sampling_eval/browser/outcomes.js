// What an outcome says: right, wrong, or nothing. Cells of CSV are texts, values of JSON are not.

const RIGHT = new Set(given.pairs.map(pair => pair[0]));
const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

const isNull = value => value === undefined || value === null;
const BLANK = new Set(given.blank);
const isUnnamed = value => isNull(value) || BLANK.has(value);
const readKind = (outcome, text) => {
  if (typeof outcome === "boolean") return ["flags", outcome ? "true" : "false"];
  if (typeof outcome === "number") return ["numbers", outcome];
  const word = outcome.trim().toLowerCase();
  if (!text) return ["words", word];
  if (word === "true" || word === "false") return ["flags", word];
  return NUMBER.test(outcome) ? ["numbers", Number(outcome)] : ["words", word];
};

// Reads the outcomes of a column, which must be of one kind: flags, numbers or a pair of words.
class Outcomes {
  constructor(text) {
    this.text = text; // Whether the outcomes are cells of CSV
    this.known = new Map();
    this.pairs = given.pairs;
  }

  // 1 right, 0 wrong, null where there is none.
  read(outcome, row) {
    let value = this.known.get(outcome);
    if (value !== undefined) return value;
    const absent = isNull(outcome)
      || this.text && (outcome === "" || /^\s*[+-]?nan\s*$/i.test(outcome));
    value = absent ? null : this.judge(outcome, row);
    this.known.set(outcome, value);
    return value;
  }

  judge(outcome, row) {
    if (typeof outcome === "object") {
      refuse(`row ${row}: a list is no outcome; sampling-eval score reads lists`, "correct");
    }
    const [kind, value] = readKind(outcome, this.text);
    this.first ??= {kind, outcome};
    if (kind !== this.first.kind) {
      refuse(`outcomes must be of one kind, got ${this.first.outcome} and ${outcome} (row ${row})`,
        "correct");
    }
    if (kind === "numbers") return this.judgeNumber(value, row);
    this.pairs = this.pairs.filter(pair => pair.includes(value));
    if (!this.pairs.length) {
      refuse(`row ${row}: outcomes must be 0 and 1, true and false, or a pair such as pass and `
        + `fail, got '${outcome}'`, "correct");
    }
    return RIGHT.has(value) ? 1 : 0;
  }

  judgeNumber(value, row) {
    if (value === 0 || value === 1) return value;
    const why = value > 1 && value <= 100 ? "are these percentages?"
      : "sampling-eval score reads graded scores";
    return refuse(`row ${row}: an outcome must be 0 or 1, got ${value}; ${why}`, "correct");
  }
}
