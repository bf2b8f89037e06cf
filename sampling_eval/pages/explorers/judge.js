// What is true behind the verdicts of a judge that errs.

const measure = ({n, passed, s, t}) => {
  const [right, wrong] = [s / 100, 1 - t / 100];
  const correct = share => (share - wrong) / (right - wrong);
  const inside = share => Math.min(1, Math.max(0, correct(share)));
  const [low, high] = limits(passed, n).map(inside);
  const truth = correct(passed / n);
  const rows = [
    ["the judge says", `${passed} of ${n} pass`, points(passed / n), 0, 100 * passed / n],
    ["nothing right", "what would pass by mistake", points(wrong), 0, 100 * wrong],
    ["corrected", "what is right", points(truth), 0, 100 * inside(passed / n)],
    ["its interval", "95 %", span(low, high), 100 * low, 100 * high]];
  return {
    said: `<b>${percent(passed / n)} pass, ${percent(truth)} are right:</b> ` +
      `the judge passes ${s}\u00a0% of right answers, and ${100 - t}\u00a0% of wrong ones` +
      (truth < 0 || truth > 1 ? ". No such share exists: look at the rates again." : "."),
    rows,
    axes: [{label: "of all answers, %", from: 0, to: 100}]};
};
