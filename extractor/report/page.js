"use strict";
// Everything shown from the data goes through textContent: texts are untrusted and never become markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const words = data.strings;
  const word = (n) => (n === null ? null : words[n]);
  const PAPERS_A_PAGE = 20;
  const ROWS_A_PAGE = 100;
  const KINDS = ["speedup", "gain", "reduction", "loss", "score", "ratio", "size"];

  // --- the data: the order of the lists is that of data.py

  // Places are triples: 1 for the title or 0 for the abstract, start, end; in code points.
  function places(flat) {
    const made = [];
    for (let i = 0; i < flat.length; i += 3) made.push({ title: flat[i] === 1, start: flat[i + 1], end: flat[i + 2] });
    return made;
  }

  const papers = data.papers.map((raw, at) => ({
    at, raw, id: raw[0], title: raw[1], abstract: raw[5], results: null, searched: null, marks: null,
  }));

  for (const paper of papers) {
    paper.methods = paper.raw[7].map((m) => ({ name: words[m[0]], confidence: m[2], all: [words[m[0]], m[5], ...m[6]].filter(Boolean).map(folded) }));
    paper.datasets = paper.raw[8].map((d) => ({ name: words[d[0]], canonical: words[d[5]], confidence: d[2], all: [words[d[0]], words[d[5]]].map(folded) }));
    paper.results = paper.raw[9].map((r, n) => ({
      paper, n: n + 1, kind: words[r[0]], value: r[1], high: r[2], unit: word(r[3]), qualifier: words[r[4]],
      metric: word(r[5]), subject: word(r[6]), baseline: word(r[7]), datasets: r[8].map(word), method: word(r[9]),
      baselineMethod: word(r[10]), place: r[11], sentence: r[12], confidence: r[13], rule: words[r[14]],
    }));
  }

  function folded(text) {
    return text.toLowerCase();
  }

  function searched(paper) {
    paper.searched ??= folded(`${paper.id}\n${paper.title ?? ""}\n${paper.abstract}`);
    return paper.searched;
  }

  // Offsets count code points, strings count UTF-16 units: they differ behind the first character of two units.
  function unitsOf(text) {
    if (!/[\ud800-\udfff]/.test(text)) return (offset) => offset;
    const map = [];
    let at = 0;
    for (const character of text) {
      map.push(at);
      at += character.length;
    }
    map.push(at);
    return (offset) => map[Math.min(offset, map.length - 1)];
  }

  function cut(text, start, end) {
    const units = unitsOf(text);
    return text.slice(units(start), units(end));
  }

  const textOf = (paper, place) => cut((place[0] === 1 ? paper.title : paper.abstract) ?? "", place[1], place[2]);

  // --- small makers

  function element(tag, options = {}, ...children) {
    const made = document.createElement(tag);
    if (options.class) made.className = options.class;
    if (options.text !== undefined && options.text !== null) made.textContent = String(options.text);
    for (const [name, value] of Object.entries(options.set ?? {})) made.setAttribute(name, value);
    made.append(...children.filter(Boolean));
    return made;
  }

  function webAddress(url) {
    try {
      const made = new URL(url);
      return made.protocol === "http:" || made.protocol === "https:" ? made.href : null;
    } catch {
      return null;
    }
  }

  function outward(url, options) {
    const href = webAddress(url);
    if (href === null) return element("span", options);
    const set = { ...options.set, href, rel: "noopener noreferrer", target: "_blank" };
    return element("a", { ...options, set });
  }

  const figures = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 15 });
  const counted = (count, name) => `${figures.format(count)} ${name}${count === 1 ? "" : "s"}`;
  const plainName = (name) => name.replaceAll("_", " ");

  function amount(result) {
    const value = [result.value, result.high].filter((v) => v !== null).map((v) => figures.format(v)).join("–");
    const unit = { percent: "%", x: "×" }[result.unit] ?? (result.unit === null ? "" : ` ${result.unit}`);
    return value + unit;
  }

  // --- filters

  const controls = Object.fromEntries(["search", "method", "dataset", "kind", "unit", "confidence"].map((id) => [id, byId(id)]));
  const NO_UNIT = "\u0000none";
  let filters = null;
  let shownPapers = [];
  let shownRows = [];

  function readFilters() {
    return {
      words: folded(controls.search.value).split(/\s+/).filter(Boolean),
      method: folded(controls.method.value.trim()),
      dataset: folded(controls.dataset.value.trim()),
      kind: controls.kind.value,
      unit: controls.unit.value,
      least: Number(controls.confidence.value),
    };
  }

  const named = (parts, sought, least) => parts.some((part) => part.confidence >= least && part.all.some((name) => name.includes(sought)));
  const holds = (names, sought) => names.some((name) => name !== null && folded(name).includes(sought));

  // A number that names no method (no dataset) counts for every method (dataset) of its paper.
  function rowPasses(row, f) {
    if (row.confidence < f.least || (f.kind && row.kind !== f.kind)) return false;
    if (f.unit && (f.unit === NO_UNIT ? row.unit !== null : row.unit !== f.unit)) return false;
    if (f.method) {
      const tied = [row.method, row.subject, row.baseline, row.baselineMethod];
      if (tied.some((name) => name !== null) && !holds(tied, f.method)) return false;
    }
    if (!f.dataset || row.datasets.length === 0 || holds(row.datasets, f.dataset)) return true;
    return row.paper.datasets.some((d) => row.datasets.includes(d.name) && d.all.some((name) => name.includes(f.dataset)));
  }

  function paperPasses(paper, f) {
    if (f.words.length && !f.words.every((w) => searched(paper).includes(w))) return false;
    if (f.method && !named(paper.methods, f.method, f.least)) return false;
    return !f.dataset || named(paper.datasets, f.dataset, f.least);
  }

  function apply() {
    filters = readFilters();
    byId("confidence-said").textContent = `≥ ${filters.least.toFixed(2)}`;
    shownPapers = [];
    shownRows = [];
    for (const paper of papers) {
      if (!paperPasses(paper, filters)) continue;
      const rows = paper.results.filter((row) => rowPasses(row, filters));
      if ((filters.kind || filters.unit) && rows.length === 0) continue;
      const sure = (part) => part.confidence >= filters.least;
      if (filters.least > 0 && !rows.length && !paper.methods.some(sure) && !paper.datasets.some(sure)) continue;
      shownPapers.push(paper);
      for (const row of rows) shownRows.push(row);
    }
    sortRows();
    pages = { papers: 0, numbers: 0 };
    aim = null;
    const all = shownPapers.length === papers.length ? "" : ` of ${figures.format(papers.length)}`;
    byId("counts").textContent = `${counted(shownPapers.length, "paper")}${all}, ${counted(shownRows.length, "number")}`;
    charts();
    render();
  }

  // --- overview

  function tally(items) {
    const counts = new Map();
    for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }

  const FACTORS = [[0, 1.5, "below 1.5×"], [1.5, 2, "1.5–2×"], [2, 3, "2–3×"], [3, 5, "3–5×"], [5, 10, "5–10×"], [10, 100, "10–100×"], [100, Infinity, "100× and more"]];

  function charts() {
    if (!byId("overview").open) return;
    const kinds = new Map(tally(shownRows.map((row) => row.kind)));
    const datasets = tally(shownPapers.flatMap((paper) => [...new Set(paper.datasets.filter((d) => d.confidence >= filters.least).map((d) => d.canonical))]));
    const factors = shownRows.filter((row) => row.kind === "speedup" && row.unit === "x");
    const codes = new Map(tally(shownPapers.map((paper) => words[paper.raw[6]])));
    byId("charts").replaceChildren(
      chart("Numbers by kind", KINDS.map((kind) => [kind, kinds.get(kind) ?? 0]), (kind) => pick(controls.kind, kind)),
      chart("Papers by dataset, top ten", datasets.slice(0, 10), (name) => pick(controls.dataset, name)),
      chart("Speedups by factor", FACTORS.map(([from, to, name]) => [name, factors.filter((row) => row.value >= from && row.value < to).length])),
      chart("Papers by code", ["linked", "available", "promised", "none"].map((status) => [status, codes.get(status) ?? 0])),
    );
  }

  function chart(title, bars, act) {
    const most = Math.max(1, ...bars.map((bar) => bar[1]));
    const list = element("ul", { class: "chart" });
    for (const [name, count] of bars) {
      const fill = element("span", { class: "fill" });
      fill.style.width = `${(100 * count) / most}%`;
      if (count === 0) fill.hidden = true;
      const line = element(
        act ? "button" : "span", { set: act ? { type: "button", title: `Filter by ${name}` } : {} },
        element("span", { class: "name", text: name, set: { title: name } }), element("span", { class: "track" }, fill),
        element("span", { class: "count", text: figures.format(count) }),
      );
      if (act) line.addEventListener("click", () => act(name));
      list.append(element("li", {}, line));
    }
    const body = bars.length ? list : element("p", { class: "facts", text: "none" });
    return element("section", {}, element("h2", { text: title }), body);
  }

  function pick(control, value) {
    control.value = control.value === value ? "" : value;
    apply();
  }

  // --- views and pages

  let view = "papers";
  let pages = { papers: 0, numbers: 0 };
  let aim = null; // the number whose sentence is shown: {paper, row}

  function pageCount() {
    return view === "papers" ? Math.ceil(shownPapers.length / PAPERS_A_PAGE) : Math.ceil(shownRows.length / ROWS_A_PAGE);
  }

  function render() {
    hideCard();
    const body = byId("view");
    const page = pages[view];
    byId("show-papers").setAttribute("aria-pressed", String(view === "papers"));
    byId("show-numbers").setAttribute("aria-pressed", String(view === "numbers"));
    byId("legend").hidden = view !== "papers";
    byId("copy").hidden = view !== "numbers";
    if (view === "papers") {
      body.replaceChildren(...shownPapers.slice(page * PAPERS_A_PAGE, (page + 1) * PAPERS_A_PAGE).map(article));
    } else if (shownRows.length) {
      body.replaceChildren(table(shownRows.slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE)));
    } else body.replaceChildren();
    if (pageCount() === 0) body.append(element("p", { class: "notice", text: "Nothing fits these filters." }));
    for (const pager of document.querySelectorAll(".pager")) {
      const last = Math.max(pageCount() - 1, 0);
      const turn = (text, label, by, off) => {
        const button = element("button", { text, set: { type: "button", "aria-label": label } });
        button.disabled = off;
        button.addEventListener("click", () => turnPage(by));
        return button;
      };
      pager.hidden = last === 0;
      pager.replaceChildren(
        turn("‹", "Previous page", -1, page === 0), element("span", { text: `${page + 1} of ${last + 1}` }),
        turn("›", "Next page", 1, page === last),
      );
    }
  }

  function turnPage(by) {
    const to = pages[view] + by;
    if (to < 0 || to >= pageCount()) return;
    pages[view] = to;
    render();
    byId("view").scrollIntoView();
    window.scrollBy(0, -80);
  }

  function show(name) {
    view = name;
    render();
  }

  // --- papers

  // The values of a paper with what is said about each: [group, heading, facts, places, confidence, url].
  function valuesOf(paper) {
    const raw = paper.raw;
    const made = [];
    for (const m of raw[7]) {
      const facts = [["role", words[m[1]]], ["full name", m[5]], ["also", m[6].join(", ")]];
      made.push({ group: "method", heading: words[m[0]], facts, places: places(m[4]), confidence: m[2], rule: words[m[3]] });
    }
    for (const d of raw[8]) {
      const facts = [["role", words[d[1]]], ["canonical", words[d[5]] === words[d[0]] ? null : words[d[5]]]];
      made.push({ group: "dataset", heading: words[d[0]], facts, places: places(d[4]), confidence: d[2], rule: words[d[3]] });
    }
    for (const r of paper.results) {
      const facts = [
        ["kind", r.kind], ["qualifier", r.qualifier === "exact" ? null : plainName(r.qualifier)], ["metric", r.metric],
        ["subject", r.subject], ["method", r.method], ["baseline", r.baseline],
        ["its method", r.baselineMethod === r.baseline ? null : r.baselineMethod], ["datasets", r.datasets.join(", ")],
      ];
      made.push({ group: "result", heading: amount(r), facts, places: places(r.place), confidence: r.confidence, rule: r.rule, row: r });
    }
    for (const l of raw[10]) {
      const facts = [["kind", words[l[1]]], ["host", words[l[2]]], ["anonymous", l[3] ? "yes" : null]];
      made.push({ group: "link", heading: l[0], facts, places: places(l[4]), confidence: null, rule: null, url: l[0] });
    }
    return made;
  }

  // Where values overlap, the one that begins first is shown, and of those the longest.
  function marked(paper, inTitle) {
    const text = (inTitle ? paper.title : paper.abstract) ?? "";
    const units = unitsOf(text);
    const found = [];
    for (const value of valuesOf(paper)) {
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
    const options = { class: `mark ${value.group}${unsure ? " unsure" : ""}`, text, set: { tabindex: "0", "aria-describedby": "card" } };
    const made = value.url === undefined ? element("span", options) : outward(value.url, options);
    valueOfMark.set(made, value);
    return made;
  }

  function article(paper) {
    const raw = paper.raw;
    const heading = element("h2");
    if (paper.title) heading.append(marked(paper, true));
    else heading.textContent = paper.id;
    const source = raw[12];
    const facts = element("p", { class: "facts" });
    const line = source[3] === null ? "" : `:${source[3]}`;
    const said = [
      paper.title ? paper.id : null, word(raw[2]), raw[3], source[0] === null ? null : word(source[0]) + line,
      `code: ${words[raw[6]]}`,
    ];
    facts.textContent = said.filter((fact) => fact !== null).join(" · ");
    if (raw[4]) facts.append(" · ", outward(raw[4], { text: raw[4] }));
    const made = element(
      "article", { set: { id: `p${paper.at + 1}`, tabindex: "-1" } }, heading, facts,
      element("p", { class: "abstract" }, marked(paper, false)),
    );
    if (raw[11].length) made.append(element("ul", { class: "warnings" }, ...raw[11].map((text) => element("li", { text }))));
    const extra = Object.entries(raw[13]);
    if (extra.length) {
      const list = element("dl");
      for (const [name, value] of extra) {
        list.append(element("dt", { text: name }), element("dd", { text: typeof value === "string" ? value : JSON.stringify(value) }));
      }
      made.append(element("details", { class: "extra" }, element("summary", { text: counted(extra.length, "other field") }), list));
    }
    return made;
  }

  // --- the card of a value

  const card = byId("card");

  function showCard(mark) {
    const value = valueOfMark.get(mark);
    if (!value) return;
    const list = element("dl");
    const confidence = value.confidence === null ? null : value.confidence.toFixed(2);
    for (const [name, fact] of [...value.facts, ["confidence", confidence], ["rule", value.rule]]) {
      if (fact) list.append(element("dt", { text: name }), element("dd", { text: fact }));
    }
    card.replaceChildren(element("h3", { text: value.heading }), list);
    card.hidden = false;
    const place = mark.getClientRects()[0] ?? mark.getBoundingClientRect();
    const size = card.getBoundingClientRect();
    const below = place.bottom + 6 + size.height < window.innerHeight;
    card.style.left = `${Math.max(8, Math.min(place.left, window.innerWidth - size.width - 8))}px`;
    // On a narrow screen the style puts the card at the edge that is farther from the value.
    card.classList.toggle("high", place.top > window.innerHeight / 2);
    card.style.top = `${below ? place.bottom + 6 : Math.max(8, place.top - size.height - 6)}px`;
  }

  function hideCard() {
    card.hidden = true;
  }

  const markAt = (event) => (event.target instanceof Element ? event.target.closest(".mark") : null);
  for (const name of ["mouseover", "focusin", "click"]) {
    byId("view").addEventListener(name, (event) => {
      const mark = markAt(event);
      if (mark) showCard(mark);
      else if (name === "click") hideCard();
    });
  }
  for (const name of ["mouseout", "focusout"]) byId("view").addEventListener(name, hideCard);
  window.addEventListener("scroll", () => {
    if (document.activeElement && document.activeElement.matches(".mark")) showCard(document.activeElement);
    else hideCard();
  }, { passive: true });

  // --- numbers

  // [heading, what it sorts by, what it shows, class]
  const COLUMNS = [
    ["Number", (r) => r.value, amount, "number"],
    ["Kind", (r) => r.kind, (r) => r.kind],
    ["Unit", (r) => r.unit, (r) => r.unit],
    ["Limit", (r) => r.qualifier, (r) => (r.qualifier === "exact" ? "" : plainName(r.qualifier))],
    ["Metric", (r) => r.metric, (r) => r.metric],
    ["Of", (r) => r.subject ?? r.method, (r) => r.subject ?? r.method],
    ["Against", (r) => r.baseline, (r) => r.baseline],
    ["Datasets", (r) => r.datasets.join(", ") || null, (r) => r.datasets.join(", ")],
    ["Sure", (r) => r.confidence, (r) => r.confidence.toFixed(2), "number"],
    ["Sentence in", (r) => r.paper.title ?? r.paper.id, (r) => r.paper.title ?? r.paper.id],
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
      const button = element("button", { text: name, set: { type: "button" } });
      button.addEventListener("click", () => sortBy(at));
      const cell = element("th", { class: type, set: { scope: "col" } }, button);
      if (at === sorted.column) cell.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      head.append(cell);
    });
    const body = element("tbody");
    for (const row of rows) {
      const line = element("tr");
      for (const [name, , cell, type] of COLUMNS.slice(0, -1)) line.append(element("td", { class: type, text: cell(row), set: { "data-label": name } }));
      const link = element("a", { text: COLUMNS.at(-1)[2](row), set: { href: `#p${row.paper.at + 1}r${row.n}`, title: textOf(row.paper, row.sentence) } });
      line.append(element("td", { set: { "data-label": "Sentence in" } }, link));
      body.append(line);
    }
    return element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), body));
  }

  function sortBy(column) {
    // Numbers are first wanted from the largest down.
    const down = sorted.column === column ? !sorted.down : COLUMNS[column][3] === "number";
    sorted = { column, down };
    sortRows();
    pages.numbers = 0;
    render();
    document.querySelectorAll("#view th button")[column]?.focus();
  }

  // #p12 is a paper, #p12r3 a number of it: back and forward work as they do between pages.
  function follow() {
    const found = /^#p(\d+)(?:r(\d+))?$/.exec(location.hash);
    const paper = found && papers[Number(found[1]) - 1];
    if (!paper) return;
    if (!shownPapers.includes(paper)) {
      for (const control of Object.values(controls)) control.value = control === controls.confidence ? "0" : "";
      apply();
    }
    aim = found[2] ? paper.results[Number(found[2]) - 1] ?? null : null;
    view = "papers";
    pages.papers = Math.floor(shownPapers.indexOf(paper) / PAPERS_A_PAGE);
    render();
    const shown = byId(`p${paper.at + 1}`);
    const target = shown.querySelector(".aimed") ?? shown;
    // Where another value covers the number, its sentence is brought into view.
    (target === shown ? shown.querySelector(".lit") ?? shown : target).scrollIntoView({ block: aim ? "center" : "start" });
    target.focus({ preventScroll: true });
  }

  // --- copying

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
    value = value.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g, "\ufffd");
    const risky = /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) && !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?$/.test(value);
    const text = risky ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
      const box = element("textarea", { set: { readonly: "" } });
      box.value = text;
      document.body.append(box);
      box.select();
      copied = document.execCommand("copy");
      box.remove();
    }
    say(copied ? `${counted(shownRows.length, "row")} copied as CSV.` : "The browser did not allow copying.");
  }

  function say(text) {
    byId("said").textContent = text;
    setTimeout(() => { byId("said").textContent = ""; }, 4000);
  }

  // --- keys

  function step(by) {
    const stops = [...document.querySelectorAll(view === "papers" ? "#view article" : "#view tbody a")];
    if (!stops.length) return;
    const inside = document.activeElement?.closest("#view article, #view tbody tr");
    const now = stops.findIndex((stop) => stop === inside || (inside && inside.contains(stop)));
    const next = now < 0 ? (by > 0 ? 0 : stops.length - 1) : now + by;
    if (next < 0 || next >= stops.length) {
      const before = pages[view];
      turnPage(by);
      if (pages[view] === before) return;
      const fresh = [...document.querySelectorAll(view === "papers" ? "#view article" : "#view tbody a")];
      fresh.at(by > 0 ? 0 : -1)?.focus();
      return;
    }
    stops[next].focus({ preventScroll: true });
    stops[next].scrollIntoView({ block: view === "papers" ? "start" : "nearest" });
  }

  const KEYS = {
    "/": () => { controls.search.focus(); controls.search.select(); },
    j: () => step(1), k: () => step(-1), "[": () => turnPage(-1), "]": () => turnPage(1),
    t: () => show(view === "papers" ? "numbers" : "papers"), c: () => copy(), "?": () => byId("help").showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (event.key === "Escape") {
      hideCard();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      return;
    }
    const typing = document.activeElement?.matches("input:not([type=range]), select, textarea");
    if (typing || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });

  // --- start

  function choices() {
    const kinds = new Set(papers.flatMap((paper) => paper.results.map((row) => row.kind)));
    for (const kind of KINDS) if (kinds.has(kind)) controls.kind.append(element("option", { text: kind, set: { value: kind } }));
    for (const [unit, count] of tally(papers.flatMap((paper) => paper.results.map((row) => row.unit ?? NO_UNIT))).slice(0, 200)) {
      const text = `${unit === NO_UNIT ? "without" : unit} (${figures.format(count)})`;
      controls.unit.append(element("option", { text, set: { value: unit } }));
    }
    // Long lists of suggestions make typing slow: the most frequent are enough.
    const names = { methods: (m) => m.name, datasets: (d) => d.canonical };
    for (const [group, name] of Object.entries(names)) {
      const most = tally(papers.flatMap((paper) => [...new Set(paper[group].map(name))])).slice(0, 200);
      byId(group).append(...most.map(([value]) => element("option", { set: { value } })));
    }
  }

  if (!papers.length) {
    byId("counts").textContent = "no papers";
    return;
  }
  byId("main").hidden = false;
  if (window.innerWidth < 672) byId("overview").open = false;
  choices();
  let waiting = 0;
  byId("filters").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", () => setTimeout(apply));
  byId("overview").addEventListener("toggle", charts);
  byId("show-papers").addEventListener("click", () => show("papers"));
  byId("show-numbers").addEventListener("click", () => show("numbers"));
  byId("copy").addEventListener("click", copy);
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  window.addEventListener("hashchange", follow);
  byId("view").addEventListener("click", (event) => {
    // A link to where the address already leads changes nothing, so it is followed by hand.
    const link = event.target instanceof Element ? event.target.closest("tbody a") : null;
    if (link && link.hash === location.hash) follow();
  });
  apply();
  follow();
})();
