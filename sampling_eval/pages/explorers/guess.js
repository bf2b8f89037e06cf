// Asks for a number before the page tells it, and answers.
//
// `given` is the data of the page: the answer, the largest error that counts as right, the unit,
// the field for a number, and the reason in a sentence.

const root = document.querySelector("#guess");  // a page writes the figure's own name here

const say = number => `${+number.toPrecision(3)}${given.unit}`;
const reply = value => {
  const {answer, near} = given;
  const told = `<b>${say(answer)}.</b> ${given.because}`;
  if (!Number.isFinite(value)) return "A number, please.";
  if (Math.abs(value - answer) <= near) return `Right: ${told}`;
  const side = value > answer ? "too high" : "too low";
  return `${say(value)} is ${side}: it is ${told}`;
};

const entry = root.querySelector(".entry");
entry.innerHTML = given.entry;
const input = root.querySelector("input");
const told = root.querySelector(".told");
const check = () => { told.innerHTML = reply(input.value === "" ? NaN : +input.value); };
root.querySelector("button").addEventListener("click", check);
input.addEventListener("keydown", event => {
  // Jupyter has commands on single keys.
  event.stopPropagation();
  if (event.key === "Enter") check();
});
