// How far two runs of one system lie apart, where some questions change from run to run.

const measure = ({n, flips, choice}) => {
  const found = Object.entries(given.shares).map(([name, tail]) => {
    const questions = leadOfCoins(flips, tail);
    return [name, `at most ${many(questions, "question")}`, span(-questions / n, questions / n),
      -100 * questions / n, 100 * questions / n];
  });
  const widest = Math.max(1, Math.ceil(found[found.length - 1][4]));
  const [, most, words] = found.find(([name]) => name === choice);
  return {
    said: `<b>${choice} pairs of runs differ by ${most}: ${words.split(" to ")[1]} points.</b> ` +
      `${commas(flips)} of ${many(n, "question")} came out differently, and each is a coin: ` +
      "won or lost.",
    rows: found,
    axes: [{label: "second run less the first, points", from: -widest, to: widest}]};
};
