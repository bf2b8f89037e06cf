// What a published score can mean: its count, two intervals, and the smallest p of a lead.
//
// Scores and leads are tenths of a point: the count behind a score is found in whole numbers.

// The interval of Clopper and Pearson; the count need not be whole.
const interval = (right, all) => [
  right <= 0 ? 0 : quantile(.025, right, all - right + 1),
  right >= all ? 1 : quantile(.975, right + 1, all - right)];

const nearest = (tenths, all) => Math.floor((tenths * all + 500) / 1000);
const possible = (tenths, all) =>
  2 * Math.abs(1000 * nearest(tenths, all) - tenths * all) <= all;
// Questions that a lead can rest on at most, and the p if none of them speaks against it.
const decided = (lead, questions, tries) => Math.min(questions, nearest(lead, questions * tries));
const smallest = m => {
  if (m < 2) return "1";
  return m > 31 ? "below 1 in a billion" : "1/" + commas(2 ** (m - 1));
};

// The same drawing for wide and narrow pages: the style sheet shows one of them.
const draw = (name, wide, bars, share, lead, choice) => {
  const x = v => 84 + (wide - 104) * v;
  const parts = [];
  for (const v of [0, .25, .5, .75, 1]) parts.push(
    mark(x(v), 118, 100 * v),
    `<path d="M${x(v)} 16V100" stroke="currentColor" opacity=".2"/>`);
  Object.entries(bars).forEach(([bar, [low, high]], i) => {
    const chosen = bar === choice;
    const y = 34 + 34 * i;
    parts.push(`<rect x="${x(low)}" width="${Math.max(1, x(high) - x(low))}" y="${y}" height="12"
      fill="${chosen ? HUE : "currentColor"}" opacity="${chosen ? .8 : .3}"/>`);
    parts.push(text(68, y + 10, bar.replace(" interval", ""), 'text-anchor="end"'));
  });
  parts.push(`<path d="M${x(share)} 16V100" stroke="${HUE}" stroke-width="2"/>`);
  if (lead) parts.push(
    `<path d="M${x(share - lead)} 16V100" stroke="currentColor" ${DASHED}/>`,
    mark(x(share - lead), 11, "rival"));
  return svg(wide, 124, "two intervals around the score", parts, `class="${name}"`);
};

const explain = ({score, questions, tries, lead}) => {
  const all = questions * tries;
  const count = nearest(score, all);
  const m = decided(lead, questions, tries);
  const shown = `${(score / 10).toFixed(1)} %`;
  const first = possible(score, all)
    ? `<b>${commas(count)} of ${commas(all)} answers</b> give ${shown}.`
    : `<b>No count of ${commas(all)} answers</b> gives ${shown}; ` +
      `the nearest is ${(100 * (count / all)).toFixed(1)} %.`;
  return `${first} A lead of ${(lead / 10).toFixed(1)} points can rest on ${m} questions at ` +
    `most, so its p ${m > 31 ? "can be" : "is never below"} ${smallest(m)}.`;
};

const show = state => {
  const {score, questions, tries, lead, choice} = state;
  const all = questions * tries;
  const share = score / 1000;
  const bars = {
    "widest interval": interval(share * questions, questions),
    "narrowest interval": interval(share * all, all),
  };
  const say = name => bars[name].map(v => (100 * v).toFixed(1)).join(" to ");
  return {
    panels: [["wide", 660], ["narrow", 340]].map(([name, wide]) =>
      draw(name, wide, bars, share, lead / 1000, choice)),
    said: explain(state),
    rows: [
      ["possible?", "some count of right answers gives the score",
        possible(score, all) ? "yes" : "no"],
      ["widest interval", "every question always right, or never", say("widest interval")],
      ["narrowest interval", "all questions equally hard", say("narrowest interval")],
      ["smallest p", "the lead, if no question speaks against it",
        smallest(decided(lead, questions, tries))]],
  };
};
