// Builds the figure on the page: sliders, a sentence, drawings, and a table that chooses.
//
// `given` is the data of the page. The script of the explorer defines `show(state)`, which gives
// {panels: [svg], said: html, rows: [[choice, meaning, value]]}.

const root = document.querySelector("#explorer");  // a page writes the figure's own name here
const state = given.start;
const first = {...state};

const put = (parent, tag, attributes = {}, words = "") => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = words;
  return parent.appendChild(made);
};

// A slider ends at a number, or at what other sliders add up to; "-c" takes c off.
const part = name => name[0] === "-" ? -state[name.slice(1)] : state[name];
const bound = end => typeof end === "number" ? end : add([end].flat().map(part));

const stage = root.querySelector(".stage");
stage.textContent = "";
const sliders = put(stage, "div", {class: "controls"});
const inputs = given.controls.map(control => {
  const label = put(sliders, "label", {}, control.label + " ");
  const value = put(label, "output");
  const input = put(label, "input", {type: "range", step: 1});
  input.addEventListener("input", () => {
    state[control.name] = +input.value;
    moved();
  });
  return {control, input, value};
});

// States with a name, and the way back.
const bar = put(stage, "div", {class: "presets"});
const offer = (words, values) =>
  put(bar, "button", {type: "button"}, words).addEventListener("click", () => {
    Object.assign(state, values);
    moved();
  });
for (const [words, values] of Object.entries(given.presets)) offer(words, values);
offer("Reset", first);

// The sentence comes first, table and caption after the drawings; what stood for them without
// scripts goes.
const said = stage.appendChild(root.querySelector(".said"));
said.setAttribute("aria-live", "polite");
const panels = put(stage, "div", {class: "panels"});
const table = put(put(root, "div"), "table");
root.append(root.querySelector("figcaption"));
root.querySelector(".static").remove();
root.querySelector(".still")?.remove();

const lines = [];
const addLine = choice => {
  const tr = put(table, "tr");
  const label = put(put(tr, "td"), "label");
  const input = put(label, "input", {type: "radio", name: root.id});
  input.addEventListener("change", () => {
    state.choice = choice;
    moved();
  });
  label.append(choice);
  return {choice, tr, input};
};

const update = () => {
  for (const {control, input, value} of inputs) {
    const low = bound(control.low);
    const high = bound(control.high);
    const at = Math.min(high, Math.max(low, state[control.name]));
    state[control.name] = at;
    // The ends come first: a browser cuts a value that lies outside of them.
    input.min = low;
    input.max = high;
    input.value = at;
    value.textContent = control.shown ? control.shown[at] : at / (control.scale || 1);
  }
  const shown = show(state);
  panels.innerHTML = shown.panels.join("");
  said.innerHTML = shown.said;
  shown.rows.forEach(([choice, ...cells], i) => {
    if (!lines[i]) {
      lines[i] = addLine(choice);
      lines[i].cells = cells.map(() => put(lines[i].tr, "td"));
    }
    lines[i].input.checked = choice === state.choice;
    cells.forEach((words, j) => { lines[i].cells[j].textContent = words; });
  });
};

// What the reader has set stands in the address, behind the name of the explorer, so that a link
// shows it again. A notebook's address belongs to Jupyter.
const place = document.querySelector("[data-jp-theme-light]") ? null : globalThis.location;
const names = [...given.controls.map(control => control.name), "choice"];
const moved = () => {
  update();
  if (!place) return;
  const set = names.map(name => `${name}=${encodeURIComponent(state[name])}`);
  history.replaceState(null, "", `#${[given.name, ...set].join("&")}`);
};
const recall = () => {
  const [name, ...set] = place.hash.slice(1).split("&");
  if (name !== given.name) return;
  const found = Object.fromEntries(set.map(o => o.split("=").map(decodeURIComponent)));
  for (const {name} of given.controls) {
    const value = Math.round(+found[name]);
    if (Number.isFinite(value)) state[name] = value;
  }
  if (lines.some(({choice}) => choice === found.choice)) state.choice = found.choice;
  update();
  root.scrollIntoView();
};
update();
if (place) recall();
