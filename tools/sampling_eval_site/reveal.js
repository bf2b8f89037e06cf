// What is for the curious is behind a click; a link into a closed fold opens it.
const CURIOUS = "Slips, digits, other tools, numerics, and what is checked whenever this page runs";
function foldAppendix() {
  const section = document.getElementById("behind-this-page");
  const inside = section ? [...section.children].slice(1).filter(o => !o.matches("details.reference")) : [];
  if (!inside.length) return;
  const fold = document.createElement("details");
  const summary = document.createElement("summary");
  fold.className = "reference";
  summary.textContent = CURIOUS;
  fold.append(summary, ...inside);
  section.firstElementChild.after(fold);
}
function reveal() {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = place && (place.closest("details") || place.querySelector(":scope > details.reference"));
  if (!fold || fold.open) return;
  fold.open = true;
  place.scrollIntoView();
}
addEventListener("hashchange", reveal);
addEventListener("DOMContentLoaded", () => { foldAppendix(); reveal(); });
