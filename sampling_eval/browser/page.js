// The page: a file is dropped or chosen, read in pieces, counted, and shown. Nothing is sent.

const place = name => document.getElementById(name);
const escape = text => String(text).replace(/[&<>"]/g, o => `&#${o.charCodeAt(0)};`);
const share = v => (100 * v).toFixed(1);
const percent = v => share(v) + "\u00a0%";
const many = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

const PARTS = {question: "question", correct: "outcome", sample: "sample number", model: "model"};
let held = null; // The file, to be read anew with other columns

const readFile = async (file, chosen, missing) => {
  const counter = new Counter(chosen, missing);
  const decoder = new TextDecoder("utf-8", {fatal: true});
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const {done, value} = await reader.read();
      counter.push(done ? decoder.decode() : decoder.decode(value, {stream: true}), done);
      if (done) return counter.finish();
    }
  } catch (error) {
    error.columns = counter.columns;
    error.parts = counter.parts;
    if (error instanceof TypeError) error.message = "this is no text in UTF-8";
    throw error;
  } finally { reader.cancel(); }
};

// Everything that is shown of one model.
const study = states => {
  const questions = states.reduce((sum, {times}) => sum + times, 0);
  const times = states.map(o => o.times);
  const rows = listBudgets(states).map(k => {
    const estimate = value => {
      const values = states.map(({n, c}) => value(n, c, k));
      return {value: mean(states, ({n, c}) => value(n, c, k)), ends: gaffkeInterval(values, times)};
    };
    return {k, any: estimate(passAt), all: estimate(passHat)};
  });
  const sizes = states.map(o => o.n);
  return {questions, rows, few: Math.min(...sizes), most: Math.max(...sizes),
    rerun: rerunFacts(states)};
};

const interval = ({ends: [low, high]}) => `${share(low)} to ${percent(high)}`;

const headline = (name, {rows: [{any}]}) =>
  `${name ? escape(name) + ": " : ""}pass@1 = ${percent(any.value)} `
  + `(95\u00a0% CI ${interval(any)}, new questions)`;

const tellRerun = ({rerun, few}) => {
  if (!rerun) return "One sample per question: a rerun needs at least two to be judged.";
  const icc = rerun.icc === null ? "" : ` ICC ${rerun.icc.toFixed(2)}.`;
  return `Two single runs differ by more than ${(100 * rerun.leastDifference).toFixed(0)} points `
    + `in about 1 of 20 reruns. ${percent(rerun.flips)} of outcomes flip from run to run; `
    + `${percent(rerun.flaky)} of the questions are flaky at n = ${few}.${icc}`;
};

const tableOf = ({rows}) => {
  const cells = ({value}) => `<td>${percent(value)}`;
  const line = o => `<tr><th>${o.k}</th>${cells(o.any)}<small>${interval(o.any)}</small></td>`
    + `${cells(o.all)}<small>${interval(o.all)}</small></td></tr>`;
  return "<table><thead><tr><th>k</th><th>pass@k</th><th>pass^k</th></tr></thead>"
    + `<tbody>${rows.map(line).join("")}</tbody></table>`;
};

// Curves of pass@k and pass^k over k, with the interval of each k as a band.
const chartOf = ({rows}) => {
  if (rows.length < 2) return "";
  const last = Math.log2(rows.at(-1).k);
  const x = k => 40 + 500 * Math.log2(k) / last;
  const y = v => 220 - 200 * v;
  const points = (pick, way = rows) => way.map(o => `${x(o.k)},${y(pick(o))}`).join(" ");
  const draw = (pick, hue, label) => `<polygon points="${points(o => pick(o).ends[1])} `
    + `${points(o => pick(o).ends[0], [...rows].reverse())}" fill="${hue}" opacity=".18"/>`
    + `<polyline points="${points(o => pick(o).value)}" stroke="${hue}"/>`
    + `<text x="548" y="${y(pick(rows.at(-1)).value) + 4}" fill="${hue}">${label}</text>`;
  const grid = [0, .5, 1].map(v => `<path d="M40 ${y(v)}H540"/>`
    + `<text x="32" y="${y(v) + 4}" text-anchor="end">${100 * v}</text>`).join("");
  const ticks = rows.map(o =>
    `<text x="${x(o.k)}" y="240" text-anchor="middle">${o.k}</text>`).join("");
  return `<svg viewBox="0 0 610 250" role="img" aria-label="pass@k and pass^k over k, in percent">`
    + grid + ticks + draw(o => o.any, "var(--c0)", "pass@k")
    + draw(o => o.all, "var(--c1)", "pass^k") + "</svg>";
};

const tellRead = ({rows, parts, settings, absent}, missing) => {
  const used = Object.entries(parts).filter(([, column]) => column)
    .map(([part, column]) => `${part} = ${escape(column)}`).join(", ");
  const gone = !absent ? "No sample is missing." :
    `${many(absent, "sample")} without an outcome `
    + (missing === "wrong" ? "counted as wrong." : "excluded.");
  const rest = settings.length ? ` Not used, with several values each: ${settings.map(
    ([name, size]) => `${escape(name)} (${size})`).join(", ")}. If one of them is a setting, its `
    + "values are pooled here: choose it as the model to keep them apart." : "";
  return `Read ${many(rows, "row")}: ${used}. ${gone}${rest}`;
};

const showResult = (found, missing) => {
  const models = [...found.models].map(([name, questions]) => [name, study(listStates(questions))]);
  const parts = models.map(([name, one]) => {
    const sizes = one.few === one.most ? `${one.few}` : `${one.few} to ${one.most}`;
    return `<section><h2>${headline(name, one)}</h2>`
      + `<p>${many(one.questions, "question")}, ${sizes} samples each.</p>`
      + `${chartOf(one)}${tableOf(one)}<p>${tellRerun(one)}</p></section>`;
  });
  place("result").innerHTML = parts.join("")
    + `<p class="note">${tellRead(found, missing)}</p><p class="note">Intervals: Gaffke's, which `
    + "assumes nothing of the distribution of scores in [0, 1]; each k by itself. The rerun "
    + "threshold is a normal approximation.</p>";
};

// Selects for the columns, so that a wrong guess can be mended.
const showChoices = (columns, parts, chosen) => {
  const select = (part, label) => {
    const now = chosen[part] ?? parts?.[part] ?? "";
    const options = ["", ...columns].map(o =>
      `<option value="${escape(o)}"${o === now ? " selected" : ""}>${escape(o) || "none"}</option>`);
    return `<label>${label} <select data-part="${part}">${options.join("")}</select></label>`;
  };
  place("choices").innerHTML = columns
    ? Object.entries(PARTS).map(([part, label]) => select(part, label)).join("") : "";
};

const take = async (file, chosen = {}) => {
  held = file;
  const missing = place("missing").value;
  place("problem").textContent = "";
  place("result").textContent = "";
  place("status").textContent = `Reading ${file.name} ...`;
  try {
    const found = await readFile(file, chosen, missing);
    showChoices(found.columns, found.parts, chosen);
    showResult(found, missing);
  } catch (error) {
    showChoices(error.columns, error.parts, chosen);
    place("problem").textContent = `${file.name}: ${error.message}`;
  }
  place("status").textContent = "";
  place("again").hidden = false;
};

const readAgain = () => {
  const chosen = {};
  for (const one of document.querySelectorAll("[data-part]")) chosen[one.dataset.part] = one.value;
  if (held) take(held, chosen);
};

place("file").addEventListener("change", event => {
  if (event.target.files[0]) take(event.target.files[0]);
});
document.addEventListener("dragover", event => event.preventDefault());
document.addEventListener("drop", event => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
});
place("choices").addEventListener("change", readAgain);
place("missing").addEventListener("change", readAgain);
place("example").addEventListener("click", () => take(new File([given.example], "example.jsonl")));
