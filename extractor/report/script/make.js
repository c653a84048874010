// Makers of elements, and how numbers and names are written.

function element(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  if (options.class) made.className = options.class;
  if (options.text !== undefined && options.text !== null) made.textContent = String(options.text);
  for (const [name, value] of Object.entries(options.set ?? {})) made.setAttribute(name, value);
  made.append(...children.filter(Boolean));
  return made;
}

// What is out of sight has no layout yet, so the place of a thing is only known once it was scrolled to.
function bring(target, block) {
  target.scrollIntoView({ block });
  requestAnimationFrame(() => target.scrollIntoView({ block }));
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
  const limit = result.qualifier === "exact" ? "" : `${plainName(result.qualifier)} `;
  const value = [result.value, result.high].filter((v) => v !== null).map((v) => figures.format(v)).join("–");
  const unit = { percent: "%", x: "×" }[result.unit] ?? (result.unit === null ? "" : ` ${result.unit}`);
  return limit + value + unit;
}

function tally(items) {
  const counts = new Map();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
