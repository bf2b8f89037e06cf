// What a run says as a whole, and how far it moves when the same questions are run again.
//
// A state is {n, c, times}: so many questions (`times`) have these counts.

const countQuestions = states => add(states.map(o => o.times));
const mean = (states, value) =>
  add(states.map(o => o.times * value(o))) / countQuestions(states);

// Budgets that a table shows: 1, 2, 4 and so on, and the smallest number of samples.
const listBudgets = states => {
  const most = Math.min(...states.map(state => state.n));
  const budgets = [];
  for (let k = 1; k < most; k *= 2) budgets.push(k);
  return [...budgets, most];
};

// How far a rerun moves: all of it follows from the share of pairs of samples that differ.
// Null where a question has one sample only.
const rerunFacts = states => {
  if (states.some(({n}) => n < 2)) return null;
  const questions = countQuestions(states);
  const flips = mean(states, ({n, c}) => 2 * c * (n - c) / (n * (n - 1)));
  return {
    flips,
    flaky: mean(states, ({n, c}) => 0 < c && c < n ? 1 : 0),
    runSd: Math.sqrt(flips / (2 * questions)),
    leastDifference: 1.959963984540054 * Math.sqrt(flips / questions),
    icc: intraclass(states, questions),
  };
};

// Intraclass correlation by the analysis of variance; null where it is undefined.
const intraclass = (states, questions) => {
  const total = value => add(states.map(o => o.times * value(o)));
  const samples = total(({n}) => n);
  const share = total(({c}) => c) / samples;
  if (questions < 2 || share === 0 || share === 1) return null;
  const between = total(({n, c}) => n * (c / n - share) ** 2) / (questions - 1);
  const within = total(({n, c}) => c * (n - c) / n) / (samples - questions);
  const size = (samples - total(({n}) => n * n) / samples) / (questions - 1);
  return (between - within) / (between + (size - 1) * within);
};
