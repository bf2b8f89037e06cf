// From what one wants to know to the metric, and whether a log can give it.

const {goals, logs, lacks, site} = given;

// Metrics of k samples are named with a k at the end, those of all samples with an n or nothing.
const keeps = metric => metric.endsWith("k");
const verdict = ({used, metric, needs, only}, held, n, k) => {
  if (!held.includes(needs)) return `lacks ${lacks[needs]}`;
  const needed = keeps(metric) ? k : used === "two runs" ? 2 : 1;
  if (needed > n) return `needs ${needed} samples`;
  if (only) return `yes; ${only}`;
  const least = keeps(metric) ? 2 * k : 2;
  return n < least ? `yes; a rerun's error needs ${least}` : "yes";
};

// Heights of the metrics; a branch of the tree ends in the middle of its own.
const HEIGHTS = goals.map((_, i) => 26 + 26 * i);
const HEIGHT = 26 * goals.length + 14;
const PLACES = {};
for (const {used} of goals) {
  const own = HEIGHTS.filter((_, i) => goals[i].used === used);
  PLACES[used] = add(own) / own.length;
}
const CHOSEN = `fill="${HUE}" font-weight="700"`;
const drawBranch = (x, y, to, end, chosen) => {
  const middle = (x + to) / 2;
  const look = chosen ? `stroke="${HUE}" stroke-width="3"`
    : 'stroke="currentColor" stroke-width="1" opacity=".35"';
  return `<path d="M${x} ${y}C${middle} ${y} ${middle} ${end} ${to} ${end}" fill="none" ${look}/>`;
};
const drawTree = (chosen, held, n, k) => {
  const parts = [text(4, HEIGHT / 2 + 4, "what is used?", "")];
  for (const [name, y] of Object.entries(PLACES)) {
    const here = chosen.used === name;
    parts.push(drawBranch(88, HEIGHT / 2, 150, y, here));
    parts.push(text(156, y + 4, name, here ? CHOSEN : ""));
  }
  goals.forEach((goal, i) => {
    const y = HEIGHTS[i];
    const here = goal === chosen;
    const possible = verdict(goal, held, n, k).startsWith("yes");
    const look = here ? CHOSEN : possible ? "" : 'opacity=".4"';
    parts.push(drawBranch(226, PLACES[goal.used], 290, y, here));
    parts.push(text(296, y + 4, goal.metric, look), text(430, y + 4, goal.question, look));
  });
  return parts;
};

const point = page => {
  // A notebook beside its site links notebooks.
  const ending = globalThis.location?.pathname.endsWith(".ipynb") ? "ipynb" : "html";
  return site ? `<a href="${site}/${page}.${ending}">${page}</a>` : page;
};

const explain = ({metric, says, note, page, call}, can, n, k) => {
  const name = metric.replace(/k$/, k).replace(/n$/, n);
  const answer = can[0].toUpperCase() + can.slice(1);
  return `<b>${name}</b> says ${says.replace(/(of|most) k\b/, `$1 ${k}`)}. ` +
    `Can this log give it? ${answer}. ${note} ` +
    `Type <code>${call.replace("{k}", k)}</code>; the page is ${point(page)}.`;
};

const show = ({log, n, k, choice}) => {
  const held = logs[log];
  const chosen = goals.find(o => o.question === choice);
  const tree = drawTree(chosen, held, n, k).join("");
  const label = "a tree from what is used to the metric";
  return {
    // A narrow page sees the part of the tree from the branches to the metrics.
    panels: [["wide", "0 0 700"], ["narrow", "152 0 260"]].map(([name, box]) =>
      `<svg class="${name}" viewBox="${box} ${HEIGHT}" role="img" aria-label="${label}">` +
      `${tree}</svg>`),
    said: explain(chosen, verdict(chosen, held, n, k), n, k),
    rows: goals.map(o => [o.question, o.metric, verdict(o, held, n, k)]),
  };
};
