// How often something fails that failed c times in n runs.

const measure = ({n, c}) => {
  const half = given.z * Math.sqrt(c * (n - c) / n) / n;
  const wald = [Math.max(0, c / n - half), Math.min(1, c / n + half)];
  const [, most] = limits(c, n, .05);
  const exact = limits(c, n);
  const rows = [
    ["at most", "one-sided, 95 %", `0.0 to ${points(most)}`, 0, 100 * most],
    ["exact", "Clopper and Pearson, 95 %", span(...exact), ...exact.map(o => 100 * o)],
    ["± 1.96 s.e.", "what many tools print", span(...wald), ...wald.map(o => 100 * o)]];
  const widest = Math.min(100, Math.ceil(120 * Math.max(exact[1], wald[1])));
  return {
    said: `<b>${c} of ${commas(n)} failed: at most ${percent(most)} fail</b>, with 95\u00a0% ` +
      "confidence" + (c ? "." : `. The rule of three says ${percent(Math.min(1, 3 / n))}.`),
    rows,
    axes: [{label: "failures, %", from: 0, to: widest}]};
};
