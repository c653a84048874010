// The filtered numbers as CSV, in the clipboard.

const CSV = [
  ["paper_id", (r) => r.paper.id], ["title", (r) => r.paper.title], ["kind", (r) => r.kind], ["value", (r) => r.value],
  ["high", (r) => r.high], ["unit", (r) => r.unit], ["qualifier", (r) => r.qualifier], ["metric", (r) => r.metric],
  ["subject", (r) => r.subject], ["baseline", (r) => r.baseline], ["datasets", (r) => r.datasets.join("; ")],
  ["method", (r) => r.method], ["baseline_method", (r) => r.baselineMethod], ["quote", (r) => textOf(r.paper, r.place)],
  ["evidence", (r) => textOf(r.paper, r.sentence)], ["confidence", (r) => r.confidence], ["rule", (r) => r.rule],
];

// As in the other tables: a text that a spreadsheet could take for a formula gets an apostrophe, and control
// characters are replaced.
function cell(value) {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  // Halves of surrogate pairs become U+FFFD on their way to the clipboard.
  value = value.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g, "\ufffd");
  const risky = /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) && !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?$/.test(value);
  const text = risky ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function copy() {
  const lines = [CSV.map((column) => column[0]).join(",")];
  for (const row of shownRows) lines.push(CSV.map((column) => cell(column[1](row))).join(","));
  const text = lines.join("\n") + "\n";
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages opened from a folder have no clipboard in some browsers; the older way works there.
    const focused = document.activeElement;
    const box = element("textarea", { set: { readonly: "" } });
    box.value = text;
    document.body.append(box);
    box.select();
    copied = document.execCommand("copy");
    box.remove();
    focused?.focus({ preventScroll: true });
  }
  say(copied ? `${counted(shownRows.length, "row")} copied as CSV.` : "The browser did not allow copying.");
}

function say(text) {
  byId("said").textContent = text;
  setTimeout(() => { byId("said").textContent = ""; }, 4000);
}
