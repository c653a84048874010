// All is defined; the page comes to life.

function start() {
  if (!papers.length) {
    byId("counts").textContent = "no papers";
    return;
  }
  byId("main").hidden = false;
  if (window.innerWidth < 672) byId("overview").open = false;
  offerChoices();
  // What is typed between two frames is looked for once.
  let waiting = 0;
  byId("filters").addEventListener("input", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(apply);
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", () => setTimeout(apply));
  byId("overview").addEventListener("toggle", charts);
  byId("show-papers").addEventListener("click", () => show("papers"));
  byId("show-numbers").addEventListener("click", () => show("numbers"));
  byId("copy").addEventListener("click", copy);
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  byId("view").addEventListener("click", followAgain);
  listenForValues();
  listenForKeys();
  window.addEventListener("hashchange", follow);
  apply();
  follow();
  // The first search is as quick as the next ones when the texts are ready for it.
  const idle = window.requestIdleCallback ?? setTimeout;
  idle(() => papers.forEach(searched));
}

start();
