// What a row of a table holds: a sample, or all samples of a question.

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

// The column of lists, each with the outcomes of a question; null where rows hold none.
const findList = (columns, examples, chosen, ignored) => {
  if (chosen.sample) return null;
  const known = [...given.columns.correct, ...given.lists];
  const able = chosen.correct ? [chosen.correct]
    : columns.filter(o => !ignored.has(o) && known.includes(simplify(o)));
  const held = able.filter(o => Array.isArray(examples[columns.indexOf(o)]));
  // Beside an outcome of each row lists are something else.
  if (able.some(o => !held.includes(o) && given.columns.correct.includes(simplify(o)))) return null;
  if (held.length > 1) {
    refuse(`ambiguous: '${held[0]}' or '${held[1]}' could hold the samples; choose one below`,
      "correct");
  }
  return held[0] ?? null;
};

// The one column such as `task` whose every value was tried several times, as a number tells.
const findTask = (columns, {sample, correct}) => {
  const found = columns.filter(o => given.tasks.includes(simplify(o)));
  const tried = sample && correct && given.trials.includes(simplify(sample));
  return tried && found.length === 1 ? found[0] : null;
};
