// Cells of the CSV lines of a text. A quoted cell may hold separators and line breaks, so a text is
// cut where a row ends: `rest` is what belongs to the next piece.

const SEPARATORS = [",", "\t", ";", "|"];
const findSeparator = head => {
  const times = mark => head.split(mark).length;
  return [...SEPARATORS].sort((a, b) => times(b) - times(a))[0];
};

const splitLines = (text, separator, last) => {
  const rows = [];
  const end = last ? text.length : text.lastIndexOf("\n") + 1;
  for (const line of text.slice(0, end).split("\n")) {
    const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (whole) rows.push(whole.split(separator));
  }
  return {rows, rest: text.slice(end)};
};

const splitCsv = (text, separator, last) => {
  if (!text.includes('"')) return splitLines(text, separator, last);
  const rows = [];
  let [row, cell, quoted, start] = [[], "", false, 0];
  const endRow = place => {
    row.push(cell);
    if (row.length > 1 || row[0]) rows.push(row);
    [row, cell, start] = [[], "", place];
  };
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (quoted) {
      if (letter !== '"') cell += letter;
      // A quote at the end may be the first half of a doubled one.
      else if (i + 1 === text.length && !last) break;
      else if (text[i + 1] === '"') { cell += '"'; i++; }
      else quoted = false;
    } else if (letter === '"' && !cell) quoted = true;
    else if (letter === separator) { row.push(cell); cell = ""; }
    else if (letter === "\n") endRow(i + 1);
    else if (letter !== "\r") cell += letter;
  }
  if (!last) return {rows, rest: text.slice(start)};
  if (quoted) refuse("a quoted cell does not end; is the file cut off?");
  if (cell || row.length) endRow(text.length);
  return {rows, rest: ""};
};
