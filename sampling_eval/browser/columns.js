// Which column plays which part. `given` has the names that the Python package knows.

// A refusal: its message says what to choose, `part` for which part, `column` what to leave out.
const refuse = (message, part, column) => {
  throw Object.assign(new Error(message), {part, column});
};
const list = names => names.slice(0, 12).map(o => `'${o}'`).join(", ")
  + (names.length > 12 ? ` and ${names.length - 12} more` : "");
const simplify = name => name.trim().toLowerCase().replaceAll(/[ -]/g, "_");

const CALLED = {correct: "outcome"};

// The column chosen for a part, or the only one that is called so.
const findColumn = (part, columns, chosen) => {
  if (chosen[part] === "") return null;
  if (chosen[part] !== undefined) {
    return columns.includes(chosen[part]) ? chosen[part]
      : refuse(`no column '${chosen[part]}'; there are ${list(columns)}`, part);
  }
  const taken = Object.values(chosen);
  const found = columns.filter(o =>
    !taken.includes(o) && given.columns[part].includes(simplify(o)));
  // A run numbers the samples where no other column does.
  const numbers = found.filter(o => !given.runs.includes(simplify(o)));
  const able = part === "sample" && numbers.length ? numbers : found;
  if (able.length < 2) return able[0] ?? null;
  const told = able.map(o => `'${o}'`).join(" or ");
  return refuse(`ambiguous: ${told} could be the ${CALLED[part] ?? part}; choose one below`, part);
};

const tellMissing = (part, columns) => refuse(
  `Which column holds the ${CALLED[part] ?? part}? There are ${list(columns)}; choose one below`,
  part);

// Columns that hold n and c of a question in each row; null where rows are samples.
const findTotals = (columns, chosen, ignored) => {
  const called = names => columns.find(o => names.includes(simplify(o)) && !ignored.has(o));
  const n = called(given.sizes);
  if (!n || chosen.correct || chosen.sample || called(given.columns.sample)) return null;
  const outcome = called(given.columns.correct);
  if (outcome) {
    refuse(`ambiguous: '${outcome}' could count the right ones of '${n}' samples or be the outcome `
      + `of one; leave '${n}' out below if each row is one sample, or rename '${outcome}' to c`,
    null, n);
  }
  const c = called(given.rights);
  return c ? {n, c} : null;
};

// The column of every part, null where there is none, and what the other columns may be.
const assignColumns = (columns, chosen, ignored) => {
  const same = columns.find((o, i) => columns.indexOf(o) < i);
  if (same !== undefined) refuse(`there are two columns '${same}'`);
  const totals = findTotals(columns, chosen, ignored);
  const free = columns.filter(o => !ignored.has(o));
  const find = part => findColumn(part, free, chosen);
  const parts = {question: find("question"), sample: totals ? null : find("sample"),
    correct: totals ? null : find("correct"), model: find("model"), ...totals};
  // Scores of 0 and 1 are outcomes where no column is called so.
  if (!totals && !parts.correct && chosen.correct === undefined) parts.correct = find("score");
  const more = () => columns.find(o => given.rows.includes(simplify(o))) ?? null;
  if (!parts.question && totals && chosen.question === undefined) parts.question = more();
  if (!parts.question) tellMissing("question", columns);
  if (!totals && !parts.correct) tellMissing("correct", columns);
  const used = Object.values(parts).filter(o => o !== null);
  const twice = used.find((o, i) => used.indexOf(o) < i);
  if (twice) refuse(`a column plays one part, got '${twice}' as two`);
  return {parts, ...sortRest(free.filter(o => o && !used.includes(o)), parts, chosen)};
};

// Columns without a part: tasks are part of the name of a question, others must not vary in it.
const sortRest = (rest, parts, chosen) => {
  const left = rest.filter(o => chosen.model === undefined
    || !given.columns.model.includes(simplify(o)));
  const kind = o => given.kinds[simplify(o)]
    ?? (chosen.sample === undefined && given.runs.includes(simplify(o)) ? "system" : null);
  const group = left.find(o => given.columns.cluster.includes(simplify(o)));
  if (group) {
    refuse(`'${group}' may group the questions, and groups are the units of an interval: `
      + "sampling-eval score counts them so; leave it out below if it groups nothing", null, group);
  }
  const texts = left.filter(o => given.texts.includes(simplify(o)));
  const {model, ...others} = given.columns;
  const known = [...Object.values(others).flat(), ...given.harmless];
  const plain = o => !kind(o) && !texts.includes(o) && !known.includes(simplify(o));
  return {
    tasks: left.filter(o => kind(o) === "task"), texts,
    marks: [...left.filter(o => kind(o) === "system" || kind(o) === "grade"), ...texts],
    spare: left.filter(plain),
  };
};
