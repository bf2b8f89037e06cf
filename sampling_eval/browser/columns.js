// Which column plays which part. `given` has the names that the Python package knows.

// A refusal: its message says what to choose, `part` for which part, `column` what to leave out.
const refuse = (message, part, column) => {
  throw Object.assign(new Error(message), {part, column});
};
const list = names => names.slice(0, 12).map(o => `'${o}'`).join(", ")
  + (names.length > 12 ? ` and ${names.length - 12} more` : "");
const simplify = name => name.trim().replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1_").toLowerCase()
  .replaceAll(/[ -]/g, "_");

const CALLED = {correct: "outcome"};
const endOf = items => items[items.length - 1];

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

// The column of every part, null where there is none, and what the other columns may be.
const assignColumns = (columns, examples, chosen, ignored) => {
  const same = columns.find((o, i) => columns.indexOf(o) < i);
  if (same !== undefined) refuse(`there are two columns '${same}'`);
  const list = findList(columns, examples, chosen, ignored);
  const totals = list ? null : findTotals(columns, chosen, ignored);
  const runs = list || totals ? [] : findRuns(columns, chosen, ignored) ?? [];
  const wide = Boolean(list || totals || runs.length); // A row is a question
  const free = columns.filter(o => !ignored.has(o) && !runs.includes(o));
  const find = part => findColumn(part, free, chosen);
  const parts = {question: find("question"), sample: wide ? null : find("sample"),
    correct: wide ? list : find("correct"), model: find("model"), ...totals};
  // Scores of 0 and 1 are outcomes where no column is called so.
  if (!wide && !parts.correct && chosen.correct === undefined) parts.correct = find("score");
  const open = chosen.question === undefined && !parts.question;
  const guessed = open ? guessQuestion(free, parts, wide) : null;
  if (guessed) parts.question = guessed.question;
  if (!parts.question && !guessed) tellMissing("question", columns);
  if (!wide && !parts.correct) tellMissing("correct", columns);
  const used = Object.values(parts).filter(o => o !== null);
  const twice = used.find((o, i) => used.indexOf(o) < i);
  if (twice) refuse(`a column plays one part, got '${twice}' as two`);
  const rest = free.filter(o => o && !used.includes(o));
  return {parts, runs, list, guess: guessed?.guess, ...sortRest(rest, parts, chosen)};
};

// The question where no column is called so, and what must hold once all rows are read.
const guessQuestion = (free, parts, wide) => {
  const left = free.filter(o => !Object.values(parts).includes(o));
  const question = wide ? left.find(o => given.rows.includes(simplify(o))) : findTask(left, parts);
  if (question) return {question, guess: wide ? null : "task"};
  // Beside the samples stands nothing but the numbers of rows that pandas writes.
  const alone = wide && left.every(o => o === "" || o === "Unnamed: 0") && left.length < 2;
  return alone ? {question: left[0] ?? null, guess: "row"} : null;
};

// Columns without a part: tasks are part of the name of a question, others must not vary in it.
const sortRest = (rest, parts, chosen) => {
  const left = rest.filter(o => chosen.model === undefined
    || !given.columns.model.includes(simplify(o)));
  const kind = o => given.kinds[simplify(o)] ?? null;
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
