// Numerics are behind a click; a link into a closed fold opens it.
function foldAppendix() {
  const section = document.getElementById("how-it-is-computed");
  if (!section || section.tagName !== "SECTION") return;
  const fold = document.createElement("details");
  const summary = document.createElement("summary");
  fold.className = "reference";
  summary.textContent = "Numerics, for those who read the code";
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
addEventListener("DOMContentLoaded", () => { foldAppendix(); reveal(); });
