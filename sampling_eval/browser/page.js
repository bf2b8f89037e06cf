// The page: a file is dropped or chosen, read in a worker, and shown. Nothing is sent.

const place = name => document.getElementById(name);
const escape = words => String(words).replace(/[&<>"']/g, o => `&#${o.charCodeAt(0)};`);
const points = v => (100 * v).toFixed(1);
const interval = ({ends: [low, high]}) => `${points(low)} to ${percent(high)}`;
const whole = v => (100 * v).toFixed(100 * v < 9.95 ? 1 : 0);

// What is said of one model.
const headline = (name, {rows: [{any}]}) => `${name ? escape(name) + ": " : ""}`
  + `pass@1 = ${percent(any.value)} (95\u00a0% CI ${interval(any)}, new questions)`;

const tellSolved = ({rows, few, most, questions, rerun}) => {
  const {any, all} = rows.at(-1);
  const sizes = few === most ? many(few, "sample") : `${few} to ${many(most, "sample")}`;
  const first = `${many(questions, "question")}, ${sizes} each.`;
  if (few < 2) return `${first} A rerun can be judged from two samples of every question on.`;
  const flaky = Math.round(rerun.flaky * questions);
  return `${first} ${percent(any.value)} of questions solved at least once in ${few} samples, `
    + `${percent(all.value)} every time; ${flaky} of ${questions} questions flaky.`;
};

const tableOf = ({rows}) => {
  const cell = o => `<td>${percent(o.value)}<small>${interval(o)}</small></td>`;
  const line = o => `<tr><th scope="row">${o.k}</th>${cell(o.any)}${cell(o.all)}</tr>`;
  return '<table><thead><tr><th scope="col">k</th><th scope="col">pass@k<br>at least one right'
    + '</th><th scope="col">pass^k<br>all right</th></tr></thead>'
    + `<tbody>${rows.map(line).join("")}</tbody></table>`;
};

// Curves of pass@k and pass^k over k, with the interval of each k as a band.
const chartOf = ({rows}) => {
  if (rows.length < 2) return "";
  const last = Math.log2(rows.at(-1).k);
  const x = k => 46 + 500 * Math.log2(k) / last;
  const y = v => 220 - 200 * v;
  const path = (pick, way = rows) =>
    way.map(o => `${x(o.k).toFixed(1)},${y(pick(o)).toFixed(1)}`).join(" ");
  const draw = (pick, hue) => `<polygon points="${path(o => pick(o).ends[1])} `
    + `${path(o => pick(o).ends[0], [...rows].reverse())}" fill="${hue}" opacity=".16"/>`
    + line(path(o => pick(o).value), `stroke="${hue}"`);
  // Names at the ends of curves that end close to each other give way.
  const [high, low] = ["any", "all"].map(o => y(rows.at(-1)[o].value) + 4);
  const gap = Math.max(0, 20 - (low - high)) / 2;
  const name = (h, words, hue) => text(554, h, words, `fill="${hue}" font-weight="600"`);
  return svg(640, 250, "pass@k and pass^k over k, in percent", [
    ...[0, .5, 1].map(v => rule(46, 546, y(v)) +
      text(38, y(v) + 4, 100 * v, `text-anchor="end" ${FAINT}`)),
    ...rows.map(o => mark(x(o.k), 242, o.k)),
    draw(o => o.any, "var(--c0)"), draw(o => o.all, "var(--c1)"),
    name(high - gap, "pass@k", "var(--c0)"), name(low + gap, "pass^k", "var(--c1)")]);
};

const FEWEST_FLAKY = 5;  // Flaky questions that show how far two runs differ
const rerunOf = ({rerun, questions}) => {
  if (!rerun) return "";
  const shown = Math.round(rerun.flaky * questions) >= FEWEST_FLAKY;
  const facts = [
    ["standard deviation of one run", `${points(rerun.runSd)} points`],
    ...shown ? [["two single runs differ by more in about 1 of 20 reruns",
      `${whole(rerun.leastDifference)} points`]] : [],
    ["outcomes that flip from run to run", percent(rerun.flips)],
    ["flaky questions", percent(rerun.flaky)],
    ["ICC", rerun.icc === null ? "undefined" : rerun.icc.toFixed(2).replace("0.", ".")]];
  const line = ([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`;
  return "<h3>Run again, same questions</h3>"
    + `<table class="facts">${facts.map(line).join("")}</table>`;
};

// What was read, and what a reader should doubt.
const CALLED_HERE = {question: "question", correct: "outcome", sample: "sample", model: "model",
  n: "samples", c: "right ones", runs: "samples"};
const tellRead = ({rows, parts, settings, absent}, missing) => {
  const used = Object.entries({...parts, question: parts.question ?? "number of the row"})
    .filter(([, column]) => column)
    .map(([part, column]) => `${CALLED_HERE[part]} = ${escape(column)}`).join(", ");
  const gone = !absent ? "no sample missing" : `${many(absent, "sample")} without an outcome `
    + (missing === "wrong" ? "counted as wrong" : "excluded");
  const rest = settings.length ? ` Not used: ${settings.map(([name, size]) =>
    `${escape(name)} (${size} values)`).join(", ")}. If one of them tells systems apart, choose it `
    + "as the model: here its values are pooled." : "";
  return `Read ${many(rows, "row")}: ${used}; ${gone}.${rest}`;
};

const showFound = (found, missing) => {
  const parts = found.models.map(([name, one]) => `<section><h2>${headline(name, one)}</h2>`
    + `<p>${tellSolved(one)}</p>${chartOf(one)}${tableOf(one)}${rerunOf(one)}</section>`);
  place("result").innerHTML = parts.join("") + `<p class="note">${tellRead(found, missing)}</p>`
    + '<p class="note">Below each estimate: 95\u00a0% CI, new questions, each k by itself '
    + "(Gaffke's, which assumes nothing of the distribution of scores in [0,\u00a01]). What a "
    + "rerun moves is a normal approximation for the same questions.</p>"
    + (found.models.length > 1 ? '<p class="note">Intervals that overlap decide nothing: '
    + "<code>sampling-eval compare</code> pairs the questions of two models.</p>" : "");
};

// Drop-downs for the columns, so that a wrong guess can be mended.
const ROLES = {question: "question", correct: "outcome", sample: "sample", model: "model"};
const MISSING = {refuse: "refused", wrong: "counted as wrong", drop: "excluded"};

const makeSelect = (label, attribute, options, now, asked) => {
  const made = Object.entries(options).map(([value, words]) => `<option value="${escape(value)}"`
    + `${value === now ? " selected" : ""}>${escape(words)}</option>`);
  return `<label${asked ? ' class="asked"' : ""}>${label}<select ${attribute}>${made.join("")}`
    + "</select></label>";
};

const describe = (column, example) => {
  const words = typeof example === "object" ? JSON.stringify(example) : String(example ?? "");
  const short = words.length > 14 ? words.slice(0, 13) + "\u2026" : words;
  return short ? `${column}  (${short})` : column;
};

const showChoices = (told, asked) => {
  const {columns, examples = [], parts = {}, part, column} = told;
  if (!columns) return;
  const named = columns.map((o, i) => [o, describe(o, examples[i])]).filter(([o]) => o);
  const selects = Object.entries(ROLES).map(([role, label]) => makeSelect(label,
    `data-part="${role}"`, Object.fromEntries([
      ["?", role === part ? "choose a column" : "by its name"], ["", "none"], ...named]),
    asked.chosen[role] ?? parts[role] ?? "?", role === part));
  const suspects = new Set([...told.marks ?? [], ...asked.ignored,
    ...column ? [column] : []]);
  const boxes = [...suspects].map(o => `<label><input type="checkbox" value="${escape(o)}"`
    + `${asked.ignored.includes(o) ? " checked" : ""}> leave out ${escape(o)}</label>`);
  const last = document.activeElement?.dataset?.part;
  place("choices").innerHTML = selects.join("")
    + makeSelect("without an outcome", 'data-part="missing"', MISSING, asked.missing,
      part === "missing")
    + (boxes.length ? `<fieldset>${boxes.join("")}</fieldset>` : "");
  place("again").hidden = false;
  place("again").open ||= Boolean(told.problem);
  if (last) place("choices").querySelector(`[data-part="${last}"]`).focus();
};

const show = (told, asked) => {
  if (told.progress !== undefined) {
    place("progress").value = told.progress;
    return;
  }
  place("status").textContent = "";
  place("progress").hidden = true;
  showChoices(told, asked);
  if (told.found) showFound(told.found, asked.missing);
  place("problem").hidden = !told.problem;
  place("problem").innerHTML = told.problem
    ? `<b>${escape(asked.file.name)} was not counted</b>${escape(told.problem)}` : "";
};

// A worker keeps the page alive while a large file is read; some browsers have none here.
let running = null;
let asked = null;
const startWorker = () => {
  const source = `${place("logic").textContent}\nonmessage = o => answer(o.data, postMessage);`;
  const address = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
  try { return new Worker(address); } catch { return null; } finally {
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
};

const read = now => {
  asked = now;
  const tell = told => { if (asked === now) show(told, now); };
  place("problem").hidden = true;
  place("result").textContent = "";
  place("status").textContent = `Reading ${now.file.name} \u2026`;
  place("progress").value = 0;
  place("progress").hidden = now.file.size < 1e6;
  running?.terminate();
  running = startWorker();
  if (!running) return answer(now, tell);
  running.onmessage = ({data}) => tell(data);
  running.onerror = event => {
    event.preventDefault();
    running = null;
    answer(now, tell);
  };
  running.postMessage(now);
};

const take = file => {
  place("again").hidden = true;
  place("again").open = false;
  read({file, chosen: {}, ignored: [], missing: "refuse"});
};

const splitChoices = ({missing, ...parts}) =>
  ({missing, chosen: Object.fromEntries(Object.entries(parts).filter(([, o]) => o !== "?"))});
const readAgain = ({target}) => {
  const {part} = target.dataset;
  const now = {missing: asked.missing, ...asked.chosen, ...part && {[part]: target.value}};
  const ignored = [...place("choices").querySelectorAll("input:checked")].map(o => o.value);
  read({...asked, ...splitChoices(now), ignored});
};

const listNames = () => ["question", "sample", "correct", "model"].map(part =>
  `<dt>${ROLES[part]}</dt><dd>${given.columns[part].join(", ")}</dd>`).join("");
place("names").innerHTML = listNames();

place("file").addEventListener("change", ({target}) => {
  if (target.files[0]) take(target.files[0]);
  target.value = ""; // The same file can be chosen again
});
const dragOver = on => event => {
  event.preventDefault();
  document.body.classList.toggle("over", on);
};
document.addEventListener("dragover", dragOver(true));
document.addEventListener("dragleave", dragOver(false));
document.addEventListener("drop", event => {
  dragOver(false)(event);
  if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
});
place("choices").addEventListener("change", readAgain);
const showExample = () => take(new File([given.example], "tau-bench.jsonl"));
place("example").addEventListener("click", showExample);
if (location.hash === "#tau-bench") showExample();
