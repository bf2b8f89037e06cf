// Every figure has a button that copies its address; its code, if shown, stands beside it.
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
    const code = figure.closest(".cell:not(.answer, .check)")?.querySelector(":scope > details.code-fold");
    if (!code) { figure.append(button); continue; }
    const under = document.createElement("div");
    under.className = "under";
    code.parentElement.append(under);
    under.append(button, code);
  }
});

// A table without room for its columns is a list of cards on a phone: a row each, its cells named.
addEventListener("load", () => {
  if (!matchMedia("(max-width: 600px)").matches) return;
  for (const table of document.querySelectorAll("main table")) {
    const rows = [...table.tBodies].flatMap(body => [...body.rows]);
    if (!table.tHead) continue;
    const heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent.trim());
    // A row that begins with nothing belongs to the one above it, and columns are compared.
    const alone = !heads[0] || rows.every(row => row.cells[0].textContent.trim());
    const crowded = heads.length > 2
      && rows.some(row => [...row.cells].some(cell => cell.offsetHeight > 170));
    if (!alone || !crowded && table.scrollWidth < table.clientWidth + 24) continue;
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
        // A number alone does not say what it counts.
        cell.classList.toggle("number", /^[-+±\d.,]+$/.test(cell.textContent.trim()));
      });
      // Two short cells share a line; one without a neighbour has all of it.
      let open = null;
      for (const cell of [...row.cells].slice(1)) {
        if (!cell.classList.contains("long")) open = open ? null : cell;
        else { open?.classList.add("long"); open = null; }
      }
      open?.classList.add("long");
    }
  }
});

// A report whose intervals stand below its values: without room on a phone, what names the values is
// a line above them, and every k is seen.
addEventListener("load", () => {
  if (!matchMedia("(max-width: 600px)").matches) return;
  const empty = cell => !cell.textContent.trim();
  for (const table of document.querySelectorAll("main table")) {
    const rows = [...table.tBodies].flatMap(body => [...body.rows]);
    const below = rows.filter(row => empty(row.cells[0]));
    if (!table.tHead || !below.length || empty(rows[0].cells[0])
        || empty(table.tHead.rows[0].cells[0])
        || table.scrollWidth < table.clientWidth + 2) continue;
    const heads = [...table.tHead.rows[0].cells];
    const isRight = cell => getComputedStyle(cell).textAlign === "right";
    const lead = Math.min(heads.findIndex(isRight),
      ...below.map(row => [...row.cells].findIndex(cell => !empty(cell))));
    if (lead < 1) continue;
    for (const row of rows) {
      const names = [...row.cells].slice(0, lead);
      if (below.includes(row)) row.classList.add("interval");
      else {
        const line = document.createElement("tr");
        const name = line.appendChild(document.createElement("th"));
        name.className = "name";
        name.colSpan = heads.length - lead;
        name.scope = "rowgroup";
        const first = name.appendChild(document.createElement("strong"));
        first.append(...names[0].childNodes);
        names.slice(1).forEach(cell => name.append(" ", ...cell.childNodes));
        row.before(line);
      }
      names.forEach(cell => cell.remove());
    }
    heads.slice(0, lead).forEach(cell => cell.remove());
    table.querySelector("colgroup")?.remove();
    table.classList.add("named");
    table.classList.toggle("tight", table.scrollWidth > table.clientWidth + 1);
  }
});

// What scrolls to the side can be reached by the keyboard.
addEventListener("load", () => {
  for (const box of document.querySelectorAll("main :is(table, pre, p, math, .cell-output-display)"))
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
});

// The button of the search, which Quarto's script makes, has a picture and no name.
addEventListener("load", () => {
  for (const button of document.querySelectorAll("#quarto-search button:not([aria-label])"))
    button.setAttribute("aria-label", "Search");
});
