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

// A table without room for its columns is a list of cards on a phone: a row each, its cells named.
addEventListener("load", () => {
  if (!matchMedia("(max-width: 600px)").matches) return;
  for (const table of document.querySelectorAll("main table")) {
    const rows = [...table.tBodies].flatMap(body => [...body.rows]);
    // A row that begins with nothing belongs to the one above it, and columns are compared.
    const alone = rows.every(row => row.cells[0].textContent.trim());
    if (!table.tHead || !alone || table.scrollWidth < table.clientWidth + 24) continue;
    const heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent.trim());
    table.classList.add("cards");
    table.setAttribute("role", "table");
    for (const row of rows) {
      row.setAttribute("role", "row");
      [...row.cells].forEach((cell, i) => {
        cell.dataset.head = heads[i] ?? "";
        cell.setAttribute("role", "cell");
        const letters = cell.dataset.head.length + cell.textContent.trim().length;
        cell.classList.toggle("long", letters > 16);
        cell.classList.toggle("prose", letters > 36);
      });
    }
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
