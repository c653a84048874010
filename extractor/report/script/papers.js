// A paper: its title and abstract with the values marked in them, and the values beside it.

// The values of a paper with what is said about each: [group, heading, facts, places, confidence, url].
function valuesOf(paper) {
  const raw = paper.raw;
  const made = [];
  for (const m of raw[7]) {
    const role = words[m[1]];
    const facts = [["role", role], ["full name", m[5]], ["also", m[6].join(", ")]];
    made.push({ group: "method", heading: words[m[0]], aside: role, facts, places: places(m[4]), confidence: m[2], rule: words[m[3]] });
  }
  for (const d of raw[8]) {
    const role = words[d[1]];
    const facts = [["role", role], ["canonical", words[d[5]] === words[d[0]] ? null : words[d[5]]]];
    made.push({ group: "dataset", heading: words[d[0]], aside: role, facts, places: places(d[4]), confidence: d[2], rule: words[d[3]] });
  }
  for (const r of paper.results) {
    const facts = [
      ["kind", r.kind], ["unit", r.unit], ["metric", r.metric],
      ["subject", r.subject], ["method", r.method], ["baseline", r.baseline],
      ["its method", r.baselineMethod === r.baseline ? null : r.baselineMethod], ["datasets", r.datasets.join(", ")],
    ];
    const aside = [...new Set([r.kind, r.metric])].filter(Boolean).join(", ");
    made.push({ group: "result", heading: amount(r), aside, facts, places: places(r.place), confidence: r.confidence, rule: r.rule, row: r });
  }
  for (const l of raw[10]) {
    const facts = [["kind", words[l[1]]], ["host", words[l[2]]], ["anonymous", l[3] ? "yes" : null]];
    made.push({ group: "link", heading: l[0], aside: words[l[1]], facts, places: places(l[4]), confidence: null, rule: null, url: l[0] });
  }
  return made;
}

// Where values overlap, the one that begins first is shown, and of those the longest.
function marked(paper, values, inTitle) {
  const text = (inTitle ? paper.title : paper.abstract) ?? "";
  const units = unitsOf(text);
  const found = [];
  for (const value of values) {
    for (const place of value.places) {
      if (place.title === inTitle) found.push({ value, start: units(place.start), end: units(place.end) });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const row = aim && aim.paper === paper ? aim : null;
  const sentence = row && (row.sentence[0] === 1) === inTitle ? [units(row.sentence[1]), units(row.sentence[2])] : [0, 0];
  const made = document.createDocumentFragment();
  const plain = (start, end) => {
    // A stretch of plain text is cut where the sentence that is shown begins and ends.
    const edges = [start, ...sentence.filter((edge) => edge > start && edge < end), end];
    for (let i = 0; i + 1 < edges.length; i++) {
      const piece = text.slice(edges[i], edges[i + 1]);
      const lit = edges[i] >= sentence[0] && edges[i] < sentence[1];
      if (piece) made.append(lit ? element("span", { class: "lit", text: piece }) : piece);
    }
  };
  let at = 0;
  for (const { value, start, end } of found) {
    if (start < at) continue;
    plain(at, start);
    const mark = markOf(value, text.slice(start, end));
    if (start >= sentence[0] && start < sentence[1]) mark.classList.add("lit");
    if (row && value.row === row) mark.classList.add("aimed");
    made.append(mark);
    at = end;
  }
  plain(at, text.length);
  return made;
}

const valueOfMark = new WeakMap();

function markOf(value, text) {
  const unsure = value.confidence !== null && value.confidence < filters.least;
  const set = { tabindex: "0", "aria-describedby": "card", "aria-roledescription": value.group };
  const options = { class: `mark ${value.group}${unsure ? " unsure" : ""}`, text, set };
  const made = value.url === undefined ? element("span", options) : outward(value.url, options);
  if (made.localName === "span") made.setAttribute("role", "button");
  valueOfMark.set(made, value);
  return made;
}

// What was found, as a list beside the abstract. Each entry leads to its place in the text.
const GROUPS = { method: "Methods", result: "Numbers", dataset: "Datasets", link: "Links" };

function listOf(paper, values) {
  const list = element("aside", { class: "found", set: { "aria-label": "What was found" } });
  for (const [group, title] of Object.entries(GROUPS)) {
    const own = values.filter((value) => value.group === group);
    if (!own.length) continue;
    const lines = own.map((value) => {
      const name = value.url === undefined ? value.heading : value.url.replace(/^https?:\/\/(?:www\.)?/, "");
      const href = value.row ? `#p${paper.at + 1}r${value.row.n}` : null;
      const entry = href ? element("a", { text: name, set: { href } }) : element("button", { text: name, set: { type: "button" } });
      if (!href) entry.addEventListener("click", () => goTo(entry, value));
      const unsure = value.confidence !== null && value.confidence < filters.least;
      return element("li", { class: unsure ? "pale" : "" }, entry, " ", element("span", { class: "aside", text: value.aside }));
    });
    list.append(element("h3", { class: group, text: title }), element("ul", {}, ...lines));
  }
  return list.childNodes.length ? list : null;
}

function goTo(entry, value) {
  const mark = [...entry.closest("article").querySelectorAll(".mark")].find((made) => valueOfMark.get(made) === value);
  if (!mark) return;
  bring(mark, "center");
  mark.focus({ preventScroll: true });
}

function article(paper) {
  const raw = paper.raw;
  const values = valuesOf(paper);
  const heading = element("h2");
  if (paper.title) heading.append(marked(paper, values, true));
  else heading.textContent = paper.id;
  const source = raw[12];
  const line = source[3] === null ? "" : `:${source[3]}`;
  const said = [
    paper.title ? paper.id : null, word(raw[2]), raw[3], source[0] === null ? null : word(source[0]) + line,
    `code: ${words[raw[6]]}`,
  ].filter((fact) => fact !== null).map((text) => element("bdi", { text }));
  if (raw[4]) said.push(outward(raw[4], { text: raw[4] }));
  const facts = element("p", { class: "facts" }, ...said.flatMap((fact, n) => (n ? [" · ", fact] : [fact])));
  const text = element("div", { class: "text" }, element("p", { class: "abstract" }, marked(paper, values, false)));
  if (raw[11].length) text.append(element("ul", { class: "warnings" }, ...raw[11].map((text) => element("li", { text }))));
  const extra = Object.entries(raw[13]);
  if (extra.length) {
    const list = element("dl");
    for (const [name, value] of extra) {
      list.append(element("dt", { text: name }), element("dd", { text: typeof value === "string" ? value : JSON.stringify(value) }));
    }
    text.append(element("details", { class: "extra" }, element("summary", { text: counted(extra.length, "other field") }), list));
  }
  const id = `p${paper.at + 1}`;
  heading.id = `${id}-title`;
  return element(
    "article", { set: { id, tabindex: "-1", "aria-labelledby": heading.id } }, heading, facts,
    element("div", { class: "body" }, text, listOf(paper, values)),
  );
}
