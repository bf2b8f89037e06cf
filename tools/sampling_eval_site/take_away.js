// Every figure has a button that copies its address.
addEventListener("DOMContentLoaded", () => {
  for (const figure of document.querySelectorAll("main :not(figcaption)[id^='fig-']")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "take";
    button.textContent = "Copy link";
    button.addEventListener("click", async () => {
      const address = location.href.split("#")[0] + "#" + figure.id;
      try { await navigator.clipboard.writeText(address); button.textContent = "Copied"; }
      catch { location.hash = figure.id; button.textContent = "In the address bar"; }
    });
    figure.append(button);
  }
});

// What scrolls to the side can be reached by the keyboard.
addEventListener("load", () => {
  for (const box of document.querySelectorAll("main :is(table, pre, math, .cell-output-display)"))
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
});

// The button of the search, which Quarto's script makes, has a picture and no name.
addEventListener("load", () => {
  for (const button of document.querySelectorAll("#quarto-search button:not([aria-label])"))
    button.setAttribute("aria-label", "Search");
});
