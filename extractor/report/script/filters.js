// What the controls ask for, and which papers and numbers fit.

const controls = Object.fromEntries(["search", "method", "dataset", "kind", "unit", "confidence"].map((id) => [id, byId(id)]));
const NO_UNIT = "\u0000none";
let filters = null;
let shownPapers = [];
let shownRows = [];

// Every name there is, to tell a whole name from a part of one.
const known = {
  method: new Set(papers.flatMap((paper) => paper.methods.flatMap((part) => part.all))),
  dataset: new Set(papers.flatMap((paper) => paper.datasets.flatMap((part) => part.all))),
};

// A whole name finds that name alone; a part of one, or a name with a star, finds all that hold it.
function sought(id) {
  const typed = folded(controls[id].value.trim());
  const text = typed.replace(/^\*+|\*+$/g, "");
  if (!text) return null;
  const whole = text === typed && known[id].has(text);
  return { text, whole, fits: whole ? (name) => name === text : (name) => name.includes(text) };
}

function readFilters() {
  return {
    words: folded(controls.search.value).split(/\s+/).filter(Boolean),
    method: sought("method"),
    dataset: sought("dataset"),
    kind: controls.kind.value,
    unit: controls.unit.value,
    least: Number(controls.confidence.value),
  };
}

// The names, as the record writes them, of the parts that are sought.
const named = (parts, one, least) => parts.filter((part) => part.confidence >= least && part.all.some(one.fits)).map((part) => part.name);

// A number that names no method (no dataset) counts for every method (dataset) of its paper.
function rowPasses(row, f, methods, datasets) {
  if (row.confidence < f.least || (f.kind && row.kind !== f.kind)) return false;
  if (f.unit && (f.unit === NO_UNIT ? row.unit !== null : row.unit !== f.unit)) return false;
  const tied = [row.method, row.subject, row.baseline, row.baselineMethod].filter((name) => name !== null);
  const holds = (names, one, found) => names.length === 0 || names.some((name) => found.includes(name) || one.fits(folded(name)));
  return (!f.method || holds(tied, f.method, methods)) && (!f.dataset || holds(row.datasets, f.dataset, datasets));
}

function apply() {
  filters = readFilters();
  const f = filters;
  byId("confidence-said").textContent = `≥ ${f.least.toFixed(2)}`;
  for (const id of ["method", "dataset"]) byId(`${id}-said`).textContent = f[id] === null ? "" : f[id].whole ? "exact" : "contains";
  shownPapers = [];
  shownRows = [];
  for (const paper of papers) {
    if (!f.words.every((w) => searched(paper).includes(w))) continue;
    const methods = f.method && named(paper.methods, f.method, f.least);
    const datasets = f.dataset && named(paper.datasets, f.dataset, f.least);
    if ((methods && !methods.length) || (datasets && !datasets.length)) continue;
    const rows = paper.results.filter((row) => rowPasses(row, f, methods, datasets));
    if ((f.kind || f.unit) && rows.length === 0) continue;
    const sure = (part) => part.confidence >= f.least;
    if (f.least > 0 && !rows.length && !paper.methods.some(sure) && !paper.datasets.some(sure)) continue;
    shownPapers.push(paper);
    for (const row of rows) shownRows.push(row);
  }
  sortRows();
  pageAt = { papers: 0, numbers: 0 };
  aim = null;
  const all = shownPapers.length === papers.length ? "" : ` of ${figures.format(papers.length)}`;
  byId("counts").textContent = `${counted(shownPapers.length, "paper")}${all}, ${counted(shownRows.length, "number")}`;
  charts();
  render();
}

function clearFilters() {
  for (const control of Object.values(controls)) control.value = control === controls.confidence ? "0" : "";
}

// What the lists of choices offer: the most frequent, as long lists make typing slow.
function offerChoices() {
  const rows = papers.flatMap((paper) => paper.results);
  const kinds = new Set(rows.map((row) => row.kind));
  for (const kind of KINDS) if (kinds.has(kind)) controls.kind.append(element("option", { text: kind, set: { value: kind } }));
  for (const [unit, count] of tally(rows.map((row) => row.unit ?? NO_UNIT)).slice(0, 200)) {
    const text = `${unit === NO_UNIT ? "without" : unit} (${figures.format(count)})`;
    controls.unit.append(element("option", { text, set: { value: unit } }));
  }
  const names = { methods: (m) => m.name, datasets: (d) => d.canonical };
  for (const [group, name] of Object.entries(names)) {
    const most = tally(papers.flatMap((paper) => [...new Set(paper[group].map(name))])).slice(0, 200);
    byId(group).append(...most.map(([value]) => element("option", { set: { value } })));
  }
}
