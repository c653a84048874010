// The two views, the pages of each, and the addresses of papers and numbers in them.

const A_PAGE = { papers: 20, numbers: 50 };
let view = "papers";
let pageAt = { papers: 0, numbers: 0 };
let aim = null; // the number whose sentence is shown

const listed = () => (view === "papers" ? shownPapers : shownRows);
const pageCount = () => Math.ceil(listed().length / A_PAGE[view]);

function render() {
  hideCard();
  const start = pageAt[view] * A_PAGE[view];
  const items = listed().slice(start, start + A_PAGE[view]);
  byId("show-papers").setAttribute("aria-pressed", String(view === "papers"));
  byId("show-numbers").setAttribute("aria-pressed", String(view === "numbers"));
  byId("legend").hidden = view !== "papers";
  byId("copy").hidden = view !== "numbers";
  if (!items.length) byId("view").replaceChildren(element("p", { class: "notice", text: "Nothing fits these filters." }));
  else byId("view").replaceChildren(...(view === "papers" ? items.map(article) : [table(items)]));
  for (const pager of pagers) pager.show();
}

// The buttons stay the same ones, so that the focus stays on them.
function makePager(place) {
  const turn = (text, label, by) => {
    const button = element("button", { text, set: { type: "button", "aria-label": label } });
    button.addEventListener("click", () => turnPage(by));
    return button;
  };
  const before = turn("‹", "Previous page", -1);
  const after = turn("›", "Next page", 1);
  const said = element("span");
  place.replaceChildren(before, said, after);
  const show = () => {
    const last = Math.max(pageCount() - 1, 0);
    const focused = document.activeElement;
    place.hidden = last === 0;
    said.textContent = `${figures.format(pageAt[view] + 1)} of ${figures.format(last + 1)}`;
    before.disabled = pageAt[view] === 0;
    after.disabled = pageAt[view] === last;
    if (focused === before && before.disabled) after.focus();
    if (focused === after && after.disabled) before.focus();
  };
  return { show };
}

const pagers = [...document.querySelectorAll(".pager")].map(makePager);

function turnPage(by) {
  const to = pageAt[view] + by;
  if (to < 0 || to >= pageCount()) return;
  pageAt[view] = to;
  aim = null;
  render();
  byId("view").scrollIntoView();
  window.scrollBy(0, -80);
}

function show(name) {
  view = name;
  render();
}

// #p12 is a paper, #p12r3 a number of it: back and forward work as they do between pages.
function follow() {
  const found = /^#p(\d+)(?:r(\d+))?$/.exec(location.hash);
  const paper = found && papers[Number(found[1]) - 1];
  if (!paper) return;
  if (!shownPapers.includes(paper)) {
    clearFilters();
    apply();
  }
  aim = found[2] ? paper.results[Number(found[2]) - 1] ?? null : null;
  view = "papers";
  pageAt.papers = Math.floor(shownPapers.indexOf(paper) / A_PAGE.papers);
  render();
  const shown = byId(`p${paper.at + 1}`);
  const target = shown.querySelector(".aimed") ?? shown;
  // Where another value covers the number, its sentence is brought into view.
  bring(target === shown ? shown.querySelector(".lit") ?? shown : target, aim ? "center" : "start");
  target.focus({ preventScroll: true });
}

// A link to where the address already leads changes nothing, so it is followed by hand.
function followAgain(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href^='#p']") : null;
  if (link && link.hash === location.hash) follow();
}
