// pass@k of one question from fewer than k samples: what is printed, and what the samples say.

const measure = ({n, c, k}) => {
  const sure = n - c < k ? 1 : passAt(n, c, k);
  const atLeastOne = p => 1 - (1 - p) ** k;
  const plain = atLeastOne(c / n);
  const [low, high] = limits(c, n).map(atLeastOne);
  return {
    said: k <= n ? `<b>pass@${k} = ${sure.toFixed(3)}</b>: ${many(n, "sample")} are enough for it.`
      : `<b>pass@${k} may be anything from ${low.toFixed(3)} to ${high.toFixed(3)}.</b> ` +
        `${c} of ${many(n, "sample")} right says no more of one question; ` +
        `HumanEval's code prints ${sure.toFixed(3)}.`,
    rows: [
      ["HumanEval code", "1 where fewer than k samples are wrong", sure.toFixed(3), 0, sure],
      ["plug-in", "share right, as if it were the truth", plain.toFixed(3), 0, plain],
      ["95 % interval", "what these samples allow", `${low.toFixed(3)} to ${high.toFixed(3)}`,
        low, high]],
    axes: [{label: `pass@${k}`, from: 0, to: 1}]};
};
