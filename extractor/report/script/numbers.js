// The table of numbers.

// [heading, what it sorts by, what it shows, class]; page.css has a width for each.
const COLUMNS = [
  ["Number", (r) => r.value, amount, "number"],
  ["Kind", (r) => r.kind, (r) => r.kind],
  ["Unit", (r) => r.unit, (r) => r.unit],
  ["Metric", (r) => r.metric, (r) => r.metric],
  ["Of", (r) => r.subject ?? r.method, (r) => r.subject ?? r.method],
  ["Against", (r) => r.baseline, (r) => r.baseline],
  ["Datasets", (r) => r.datasets.join(", ") || null, (r) => r.datasets.join(", ")],
  ["Confidence", (r) => r.confidence, (r) => r.confidence.toFixed(2), "number"],
  ["Paper", (r) => r.paper.title ?? r.paper.id, (r) => r.paper.title ?? r.paper.id],
];
let sorted = { column: -1, down: false };
const collator = new Intl.Collator("en", { numeric: true });

function sortRows() {
  if (sorted.column < 0) return;
  const key = COLUMNS[sorted.column][1];
  const sign = sorted.down ? -1 : 1;
  const keyed = shownRows.map((row, at) => [key(row), at, row]);
  keyed.sort((a, b) => {
    // What a row does not say comes last, whichever way.
    if (a[0] === null || b[0] === null) return (a[0] === null) - (b[0] === null) || a[1] - b[1];
    const order = typeof a[0] === "number" ? a[0] - b[0] : collator.compare(a[0], b[0]);
    return sign * order || a[1] - b[1];
  });
  shownRows = keyed.map((entry) => entry[2]);
}

function table(rows) {
  const head = element("tr");
  COLUMNS.forEach(([name, , , type], at) => {
    const button = element("button", { text: name, set: { type: "button", title: `Sort by ${name.toLowerCase()}` } });
    button.addEventListener("click", () => sortBy(at));
    const cell = element("th", { class: type, set: { scope: "col" } }, button);
    if (at === sorted.column) cell.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
    head.append(cell);
  });
  const body = element("tbody");
  for (const row of rows) {
    const line = element("tr");
    for (const [name, , cell, type] of COLUMNS.slice(0, -1)) line.append(element("td", { class: type, text: cell(row), set: { "data-label": name } }));
    const link = element("a", { text: COLUMNS.at(-1)[2](row), set: { href: `#p${row.paper.at + 1}r${row.n}`, title: `Show in the text: ${textOf(row.paper, row.sentence)}` } });
    line.append(element("td", { class: "paper", set: { "data-label": "Paper" } }, link));
    body.append(line);
  }
  return element("div", { class: "scroll" }, element("table", {}, element("caption", { class: "unseen", text: "The numbers of the papers shown" }), element("thead", {}, head), body));
}

function sortBy(column) {
  // Numbers are first wanted from the largest down.
  const down = sorted.column === column ? !sorted.down : COLUMNS[column][3] === "number";
  sorted = { column, down };
  sortRows();
  pageAt.numbers = 0;
  render();
  document.querySelectorAll("#view th button")[column]?.focus();
}
