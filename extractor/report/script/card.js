// The card of a value: what the record says about it. Shown on hover, on focus and on tap.

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

// Without the mouse on a value the card of the one that has the focus is shown.
function showFocused() {
  const focused = document.activeElement;
  if (focused?.matches("#view .mark")) showCard(focused);
  else hideCard();
}

function listenForValues() {
  const markAt = (event) => (event.target instanceof Element ? event.target.closest(".mark") : null);
  for (const name of ["mouseover", "focusin"]) {
    byId("view").addEventListener(name, (event) => {
      const mark = markAt(event);
      if (mark) showCard(mark);
    });
  }
  for (const name of ["mouseout", "focusout"]) byId("view").addEventListener(name, () => setTimeout(showFocused));
  window.addEventListener("scroll", showFocused, { passive: true });
  // Where nothing hovers, the first tap on a link shows its card, and the next one follows it.
  let tapped = null;
  document.addEventListener("click", (event) => {
    const mark = markAt(event);
    const first = mark !== tapped;
    tapped = mark;
    if (!mark || !byId("view").contains(mark)) return hideCard();
    if (mark.localName === "a" && first && matchMedia("(hover: none)").matches) event.preventDefault();
    mark.focus({ preventScroll: true });
    showCard(mark);
  });
  byId("view").addEventListener("keydown", (event) => {
    const mark = markAt(event);
    if (!mark || mark.localName === "a" || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    if (card.hidden) showCard(mark);
    else hideCard();
  });
}
