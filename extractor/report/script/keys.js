// What keys do.

function step(by) {
  const stops = [...document.querySelectorAll(view === "papers" ? "#view article" : "#view tbody a")];
  if (!stops.length) return;
  const inside = document.activeElement?.closest("#view article, #view tbody tr");
  const now = stops.findIndex((stop) => stop === inside || (inside && inside.contains(stop)));
  const next = now < 0 ? (by > 0 ? 0 : stops.length - 1) : now + by;
  if (next < 0 || next >= stops.length) {
    const before = pageAt[view];
    turnPage(by);
    if (pageAt[view] === before) return;
    const fresh = [...document.querySelectorAll(view === "papers" ? "#view article" : "#view tbody a")];
    fresh.at(by > 0 ? 0 : -1)?.focus();
    return;
  }
  stops[next].focus({ preventScroll: true });
  bring(stops[next], view === "papers" ? "start" : "nearest");
}

const KEYS = {
  "/": () => { controls.search.focus(); controls.search.select(); },
  j: () => step(1), k: () => step(-1), "[": () => turnPage(-1), "]": () => turnPage(1),
  t: () => show(view === "papers" ? "numbers" : "papers"), c: () => copy(), "?": () => byId("help").showModal(),
};

function listenForKeys() {
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
}
