// A box above the tables of names: it hides what does not hold the text that is typed in.
{
  const label = document.currentScript.previousElementSibling;
  const box = label.querySelector("input");
  const filter = () => {
    const part = box.value.trim().toLowerCase();
    for (const table of document.querySelectorAll("main table")) {
      const rows = [...table.tBodies[0].rows];
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(part);
      // A table without a row left goes with its fold, or with the title above it.
      const none = rows.every(row => row.hidden);
      const folded = table.closest("details");
      const around = folded ?? table.parentElement.previousElementSibling;
      table.hidden = around.hidden = none;
      if (folded) folded.open = part !== "" && !none;
    }
  };
  box.addEventListener("input", filter);
  label.hidden = false;
}
