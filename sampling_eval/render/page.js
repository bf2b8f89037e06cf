(() => {
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  all(".controls").forEach(controls => { controls.hidden = false; });
  for (const chart of all(".chart")) {
    const live = chart.querySelector(".live");
    for (const point of all("[data-say]", chart))
      for (const seen of ["focus", "pointerenter"])
        point.addEventListener(seen, () => { live.textContent = point.dataset.say; });
    for (const box of all("input[data-shows]", chart))
      box.addEventListener("change", () => {
        const series = chart.querySelector(`[data-series="${box.dataset.shows}"]`);
        series.toggleAttribute("hidden", !box.checked);
      });
  }
  for (const part of all(".questions")) {
    const table = part.querySelector("table"), bodies = [...table.tBodies], listed = [...bodies];
    const search = part.querySelector("input[type=search]"), count = part.querySelector(".live");
    const order = part.querySelector("select");
    const place = sorted => table.append(...sorted);
    const show = () => {
      const kind = part.querySelector("input[type=radio]:checked").value;
      const text = search.value.toLowerCase();
      let shown = 0;
      for (const body of bodies) {
        const named = body.rows[0].cells[0].textContent.toLowerCase().includes(text);
        body.hidden = !(named && (kind === "all" || kind === body.dataset.kind));
        shown += !body.hidden;
      }
      count.textContent = `${shown} shown`;
    };
    part.addEventListener("input", show);
    part.addEventListener("submit", event => event.preventDefault());
    order.addEventListener("change", () => {
      const sign = order.value.startsWith("-") ? -1 : 1, key = order.value.replace("-", "");
      all("th", part).forEach(head => head.removeAttribute("aria-sort"));
      place(key ? [...listed].sort((a, b) => sign * (a.dataset[key] - b.dataset[key])) : listed);
    });
    const collator = new Intl.Collator(undefined, {numeric: true});
    all("th", part).forEach((head, i) => {
      const button = document.createElement("button");
      button.className = "head";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      let up = true;
      button.addEventListener("click", () => {
        const cell = body => body.rows[0].cells[i];
        const value = body => cell(body).dataset.order ?? cell(body).textContent;
        all("th", part).forEach(other => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        place([...listed].sort((a, b) => (up ? 1 : -1) * collator.compare(value(a), value(b))));
        order.value = "";
        up = !up;
      });
    });
  }
  // A log of prompts and answers would take hundreds of sheets.
  const printed = "details:not(.samples)";
  addEventListener("beforeprint", () => all(printed).forEach(part => { part.open = true; }));
})();
