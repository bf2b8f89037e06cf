// Numerics and checks are behind a click; a link into a closed fold opens it.
const APPENDICES = {
  "beyond-the-lesson": "More of the subject, which the course leaves out",
  "behind-this-page": "Slips, digits, other tools, and what is checked whenever this page runs",
  "how-it-is-computed": "Numerics, for those who read the code",
  "checks": "What this page checks whenever it runs",
};
function foldAppendix(id) {
  const section = document.getElementById(id);
  if (!section || section.tagName !== "SECTION") return;
  const fold = document.createElement("details");
  const summary = document.createElement("summary");
  fold.className = "reference";
  summary.textContent = APPENDICES[id];
  fold.append(summary, ...[...section.children].slice(1));
  section.append(fold);
}
function reveal() {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = place && (place.closest("details") || place.querySelector(":scope > details.reference"));
  if (!fold || fold.open) return;
  fold.open = true;
  place.scrollIntoView();
}
addEventListener("hashchange", reveal);
addEventListener("DOMContentLoaded", () => { Object.keys(APPENDICES).forEach(foldAppendix); reveal(); });
