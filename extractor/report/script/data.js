// The data: the order of the lists is that of data.py. Everything shown from it goes through textContent: texts are
// untrusted and never become markup.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const words = data.strings;
const word = (n) => (n === null ? null : words[n]);
const KINDS = ["speedup", "gain", "reduction", "loss", "score", "ratio", "size"];

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
