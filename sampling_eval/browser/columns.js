// Which column plays which part. `given` has the names that the Python package knows.

// A refusal: its message says what to choose, `part` for which part, `column` what to leave out.
const refuse = (message, part, column) => {
  throw Object.assign(new Error(message), {part, column});
};
const list = names => names.slice(0, 12).map(o => `'${o}'`).join(", ")
  + (names.length > 12 ? ` and ${names.length - 12} more` : "");
const simplify = name => name.trim().toLowerCase().replaceAll(/[ -]/g, "_");

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

// Columns such as run_1 and run_2, an outcome each, where a row is a question; null without them.
const findRuns = (columns, chosen, ignored) => {
  const free = columns.filter(o => !ignored.has(o));
  const called = names => free.find(o => names.includes(simplify(o)));
  if (chosen.correct || chosen.sample || called(given.columns.correct)) return null;
  const ends = free.filter(matchRun);
  const stems = [...new Set(ends.map(o => matchRun(o)[1]))];
  const fit = stems.map(stem => ends.filter(o => matchRun(o)[1] === stem))
    .filter(o => o.length > 1 && !areBudgets(o));
  if (!fit.length) return null;
  if (fit.length > 1) {
    refuse(`ambiguous: columns such as '${fit[0][0]}' or '${fit[1][0]}' could hold the samples; `
      + "write one row per sample, with a column model");
  }
  const label = `${fit[0][0]}..${endOf(fit[0])}`;
  const score = called(given.columns.score);
  if (score) {
    refuse(`ambiguous: ${label} or '${score}' could hold the samples; leave '${score}' out below `
      + "if they are runs", null, score);
  }
  return fit[0];
};
const matchRun = column => {
  const found = simplify(column).match(/^(.*[a-z])_?([0-9]{1,9})$/);
  return found && given.numbered.includes(endOf(found[1].split("_"))) ? found : null;
};
// Columns such as pass_1, pass_2 and pass_4 stand for pass@k, as their gaps tell.
const areBudgets = columns => {
  const numbers = columns.map(o => Number(matchRun(o)[2]));
  return endOf(matchRun(columns[0])[1].split("_")) === "pass"
    && Math.max(...numbers) - Math.min(...numbers) >= columns.length;
};

// The column of every part, null where there is none, and what the other columns may be.
const assignColumns = (columns, chosen, ignored) => {
  const same = columns.find((o, i) => columns.indexOf(o) < i);
  if (same !== undefined) refuse(`there are two columns '${same}'`);
  const totals = findTotals(columns, chosen, ignored);
  const runs = totals ? null : findRuns(columns, chosen, ignored);
  const wide = Boolean(totals || runs); // A row is a question
  const free = columns.filter(o => !ignored.has(o) && !runs?.includes(o));
  const find = part => findColumn(part, free, chosen);
  const parts = {question: find("question"), sample: wide ? null : find("sample"),
    correct: wide ? null : find("correct"), model: find("model"), ...totals};
  // Scores of 0 and 1 are outcomes where no column is called so.
  if (!wide && !parts.correct && chosen.correct === undefined) parts.correct = find("score");
  const more = () => columns.find(o => given.rows.includes(simplify(o))) ?? null;
  if (!parts.question && wide && chosen.question === undefined) parts.question = more();
  if (!parts.question) tellMissing("question", columns);
  if (!wide && !parts.correct) tellMissing("correct", columns);
  const used = Object.values(parts).filter(o => o !== null);
  const twice = used.find((o, i) => used.indexOf(o) < i);
  if (twice) refuse(`a column plays one part, got '${twice}' as two`);
  const rest = free.filter(o => o && !used.includes(o));
  return {parts, runs: runs ?? [], ...sortRest(rest, parts, chosen)};
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
