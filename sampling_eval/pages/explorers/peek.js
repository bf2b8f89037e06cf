// How often somebody who looks again and again announces a winner.
//
// A question that one of two systems wins is a toss. All runs are followed at once, by their
// number of wins; those that a rule stops at a look are taken out. No sum ever meets its level
// exactly: the one is a multiple of 1/2^t, the other is not.

const MEANING = given.meaning;

const known = {};
const fair = t => known[t] ??= chances(t, .5);
const twoSided = (t, wins) => Math.min(1, 2 * add(fair(t).slice(Math.max(wins, t - wins))));
const wealth = (t, wins) => 1 / ((t + 1) * fair(t)[wins]);

// Whether a rule stops after t questions, at the look `at` of `looks`.
const RULES = {
  "one look": (t, wins, looks, at) => at === looks && twoSided(t, wins) <= .05,
  "every look": (t, wins) => twoSided(t, wins) <= .05,
  "level shared": (t, wins, looks) => twoSided(t, wins) <= .05 / looks,
  "wealth": (t, wins) => wealth(t, wins) >= 20,
};
const NAMES = Object.keys(RULES);

// Chances of the numbers of wins after one more question.
const toss = (running, p) => {
  const next = Array(running.length + 1).fill(0);
  running.forEach((chance, wins) => {
    next[wins] += chance * (1 - p);
    next[wins + 1] += chance * p;
  });
  return next;
};

// At each look the lead that stops and the chance to have stopped; and the mean length.
const follow = (name, looks, step, p) => {
  const limits = [], stopped = [];
  let running = [1], gone = 0, length = 0;
  for (let at = 1; at <= looks; at++) {
    for (let i = 0; i < step; i++) {
      length += add(running);
      running = toss(running, p);
    }
    const t = at * step;
    const least = running.findIndex((_, wins) =>
      2 * wins >= t && RULES[name](t, wins, looks, at));
    const stops = wins => least >= 0 && Math.max(wins, t - wins) >= least;
    gone += add(running.filter((_, wins) => stops(wins)));
    running = running.map((chance, wins) => stops(wins) ? 0 : chance);
    limits.push(least < 0 ? null : 2 * least - t);
    stopped.push(gone);
  }
  return {limits, stopped, length};
};

// The leads that stop, beside the shade that holds the lead in 95 of 100 evaluations.
const drawLimits = ({limits}, looks, step, p) => {
  const all = looks * step;
  const usual = (t, sign) => t * (2 * p - 1) + sign * 1.96 * Math.sqrt(4 * t * p * (1 - p));
  const high = Math.max(2.6 * Math.sqrt(all), 1.1 * usual(all, 1), ...limits.map(o => o || 0));
  const x = t => 40 + 285 * t / all;
  const y = lead => 110 - 90 * lead / high;
  const edge = sign => Array.from({length: 41}, (_, i) => {
    const t = all * i / 40;
    return x(t).toFixed(1) + "," + y(usual(t, sign)).toFixed(1);
  });
  const shade = [...edge(1), ...edge(-1).reverse()].join(" ");
  const parts = [
    rule(40, 325, y(0)),
    `<polygon points="${shade}" fill="currentColor" opacity=".12"/>`];
  limits.forEach((lead, i) => {
    const at = x((i + 1) * step);
    parts.push(`<path d="M${at} 16V204" stroke="currentColor" opacity=".15"/>`);
    if (lead === null) return;
    for (const end of [lead, -lead]) parts.push(
      `<path d="M${at} ${y(end)}V${end > 0 ? 16 : 204}" stroke="${HUE}" stroke-width="3"/>`);
  });
  return [
    ...parts,
    mark(20, y(0) + 4, 0), mark(20, 22, "B"), mark(20, 204, "A"),
    mark(x(0), 222, 0), mark(x(all), 222, all),
    mark(182, 240, "who leads, over questions; blue stops")];
};

const drawStopped = (found, looks, choice) => {
  const most = Math.max(.1, ...NAMES.map(o => found[o].stopped[looks - 1]));
  const right = endBefore(NAMES);
  const x = at => 40 + (right - 40) * at / looks;
  const y = v => 200 - 180 * v / most;
  const points = name =>
    [0, ...found[name].stopped].map((v, i) => x(i) + "," + y(v).toFixed(1)).join(" ");
  return [
    ...[0, most].map(v => rule(40, right, y(v)) + mark(20, y(v) + 4, (100 * v).toFixed(0) + " %")),
    rule(40, right, y(.05), DASHED),
    text(32, y(.05) + 4, "5", FAINT),
    ...drawLines(NAMES, choice, points),
    dot(x(looks), y(found[choice].stopped[looks - 1])),
    mark(x(0), 222, 0), mark(x(looks), 222, looks),
    ...nameLines(NAMES, choice, right + 8, o => y(found[o].stopped[looks - 1])),
    mark((40 + right) / 2, 240, "winner announced by look")];
};

const show = ({looks, step, win, choice}) => {
  const p = win / 100;
  const found = Object.fromEntries(NAMES.map(o => [o, follow(o, looks, step, p)]));
  const {stopped, length} = found[choice];
  const truth = win === 50 ? "though both are equal" : `where B wins ${win} %`;
  return {
    panels: [
      svg(340, 250, "the leads at which each look stops",
        drawLimits(found[choice], looks, step, p)),
      svg(340, 250, "chance to have announced a winner, by look",
        drawStopped(found, looks, choice))],
    said: `<b>A winner is announced in ${percent(stopped[looks - 1])} of evaluations</b>, ` +
      `${truth}: ${looks} look${looks > 1 ? "s" : ""}, one after every ${step} questions that ` +
      `one of the two wins. It takes ${length.toFixed(1)} of ${looks * step} such questions on ` +
      "average.",
    rows: NAMES.map(o => [o, MEANING[o], percent(found[o].stopped[looks - 1])]),
  };
};
