// From a file to everything that is shown of it; runs in a worker, or in the page without one.

const study = states => {
  const times = states.map(o => o.times);
  const estimate = (metric, k) => {
    const values = states.map(({n, c}) => metric(n, c, k));
    return {value: mean(states, ({n, c}) => metric(n, c, k)), ends: gaffkeInterval(values, times)};
  };
  const rows = listBudgets(states).map(k =>
    ({k, any: estimate(passAt, k), all: estimate(passHat, k)}));
  const sizes = states.map(o => o.n);
  return {questions: countQuestions(states), rows, few: Math.min(...sizes),
    most: Math.max(...sizes), rerun: rerunFacts(states)};
};

// Tells its progress, then what was found, or the refusal and the columns to choose from.
const answer = async ({file, ...options}, tell) => {
  const counter = new Counter(options);
  const decoder = new TextDecoder("utf-8", {fatal: true});
  const reader = file.stream().getReader();
  const parts = () => ({columns: counter.columns, examples: counter.examples,
    parts: counter.parts, marks: counter.marks?.map(o => o.name)});
  try {
    for (let size = 0; ;) {
      const {done, value} = await reader.read();
      counter.push(done ? decoder.decode() : decoder.decode(value, {stream: true}), done);
      if (done) break;
      size += value.length;
      tell({progress: size / file.size});
    }
    const found = counter.finish();
    const models = [...found.models].map(([name, held]) => [name, study(listStates(held))]);
    tell({...parts(), found: {...found, models}});
  } catch (error) {
    const told = error instanceof TypeError ? "this is no text in UTF-8" : error.message;
    tell({...parts(), problem: told, part: error.part, column: error.column});
  } finally { reader.cancel().catch(() => null); }
};
