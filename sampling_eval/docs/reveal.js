// A link into a closed fold opens it.
function reveal() {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = place && place.closest("details");
  if (!fold || fold.open) return;
  fold.open = true;
  place.scrollIntoView();
}
addEventListener("hashchange", reveal);
addEventListener("DOMContentLoaded", reveal);
