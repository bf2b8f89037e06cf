// Two systems on the same questions: their bars, and the lead that chance alone would give.

const measure = ({n, both, a, b}) => {
  const [one, other] = [both + a, both + b];
  const chance = leadOfCoins(a + b, .05) / n;
  const p = bothTails(Math.min(a, b), a + b);
  const [first, second] = [limits(one, n), limits(other, n)];
  const apart = first[1] < second[0] || second[1] < first[0];
  const lead = (other - one) / n;
  const bars = apart ? "The bars do not overlap" : "The bars overlap";
  const reach = Math.max(10, Math.ceil(10 * Math.max(chance, Math.abs(lead))) * 10);
  return {
    said: `<b>${percent(one / n)} and ${percent(other / n)}: a lead of ${points(lead)} points, ` +
      `p = ${p.toFixed(3)}.</b> ${bars}. One of the two alone is right on ` +
      `${many(a + b, "question")}; equal systems would lie so far apart, or farther, in ` +
      `${percent(p)} of evaluations.`,
    rows: [
      ["A", `${one} of ${n} right`, span(...first), ...first.map(o => 100 * o), 100 * one / n],
      ["B", `${other} of ${n} right`, span(...second), ...second.map(o => 100 * o),
        100 * other / n],
      ["lead of B", "seen", points(lead), ...[lead, 0].map(o => 100 * o).sort((x, y) => x - y)],
      ["chance", "19 of 20 leads of equal systems", span(-chance, chance),
        -100 * chance, 100 * chance]],
    axes: [
      {label: "right, %: each with its own 95 % interval", from: 0, to: 100, names: ["A", "B"]},
      {label: "lead, points", from: -reach, to: reach, names: ["lead of B", "chance"]}]};
};
