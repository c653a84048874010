// The charts above the views; a bar of a kind or dataset filters by it.

const FACTORS = [[0, 1.5, "below 1.5×"], [1.5, 2, "1.5–2×"], [2, 3, "2–3×"], [3, 5, "3–5×"], [5, 10, "5–10×"], [10, 100, "10–100×"], [100, Infinity, "100× and more"]];

function charts() {
  if (!byId("overview").open) return;
  const kinds = new Map(tally(shownRows.map((row) => row.kind)));
  const datasets = tally(shownPapers.flatMap((paper) => [...new Set(paper.datasets.filter((d) => d.confidence >= filters.least).map((d) => d.canonical))]));
  const factors = shownRows.filter((row) => row.kind === "speedup" && row.unit === "x");
  const codes = new Map(tally(shownPapers.map((paper) => words[paper.raw[6]])));
  byId("charts").replaceChildren(
    chart("Numbers by kind", KINDS.map((kind) => [kind, kinds.get(kind) ?? 0]), controls.kind),
    chart("Papers by dataset, top ten", datasets.slice(0, 10), controls.dataset),
    chart("Speedups by factor", FACTORS.map(([from, to, name]) => [name, factors.filter((row) => row.value >= from && row.value < to).length])),
    chart("Papers by code", ["linked", "available", "promised", "none"].map((status) => [status, codes.get(status) ?? 0])),
  );
}

function chart(title, bars, control) {
  const most = Math.max(1, ...bars.map((bar) => bar[1]));
  const list = element("ul", { class: "chart" });
  for (const [name, count] of bars) {
    const fill = element("span", { class: "fill" });
    fill.style.width = `${(100 * count) / most}%`;
    if (count === 0) fill.hidden = true;
    const line = element(
      control ? "button" : "span", { set: control ? { type: "button", "aria-pressed": String(control.value === name) } : {} },
      element("span", { class: "name", text: name, set: { title: name } }), element("span", { class: "track" }, fill),
      element("span", { class: "count", text: figures.format(count) }),
    );
    if (control) line.addEventListener("click", () => pick(control, name));
    list.append(element("li", {}, line));
  }
  const body = bars.length ? list : element("p", { class: "facts", text: "none" });
  return element("section", {}, element("h2", { text: title }), body);
}

function pick(control, value) {
  const fromChart = byId("charts").contains(document.activeElement);
  control.value = control.value === value ? "" : value;
  apply();
  if (!fromChart) return;
  // The bars are new ones: the focus goes to the one of the same name, or to the control that was set.
  const same = [...byId("charts").querySelectorAll("button")].find((button) => button.querySelector(".name").textContent === value);
  (same ?? control).focus();
}
