// A box above tables of names, or above pictures: it hides what does not hold the text typed in.
{
  const label = document.currentScript.previousElementSibling;
  const box = label.querySelector("input");
  const filter = () => {
    const part = box.value.trim().toLowerCase();
    for (const group of document.querySelectorAll("main table, main .gallery")) {
      const items = group.tBodies ? [...group.tBodies[0].rows] : [...group.children];
      for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(part);
      // What has nothing left goes with its fold, or with the title above it.
      const none = items.every(item => item.hidden);
      const folded = group.closest("details");
      const title = group.tBodies ? group.parentElement : group;
      const around = folded ?? title.previousElementSibling;
      group.hidden = around.hidden = none;
      if (folded) folded.open = part !== "" && !none;
    }
  };
  box.addEventListener("input", filter);
  label.hidden = false;
}
