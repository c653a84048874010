"use strict";
// In the head, so that the theme that was chosen stands before anything is drawn.
(() => {
  const KEY = "extractor-report-theme";
  const root = document.documentElement;
  const choose = (theme) => (theme === "light" || theme === "dark" ? (root.dataset.theme = theme) : delete root.dataset.theme);

  // Pages opened from a folder or in a frame may have no storage: the choice then holds while the page is open.
  try {
    choose(localStorage.getItem(KEY));
  } catch {}

  document.addEventListener("DOMContentLoaded", () => {
    const control = document.getElementById("theme");
    control.value = root.dataset.theme ?? "";
    control.addEventListener("change", () => {
      choose(control.value);
      try {
        if (control.value) localStorage.setItem(KEY, control.value);
        else localStorage.removeItem(KEY);
      } catch {}
    });
  });
})();
