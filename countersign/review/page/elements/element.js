/**
 * Elements made out of text, never out of markup.
 *
 * Titles, names, comments, sources and file names come from people, models and the web. They enter
 * the page through `textContent` alone, each in a direction of its own, and with what hides or turns
 * text made visible.
 */

const SVG = "http://www.w3.org/2000/svg";

/** Attributes that could run or load something; only the functions below set them. */
const GUARDED = /^(on|href$|src|style$|action$|formaction$)/i;

// Control characters, those that turn the reading direction (Unicode TR #36, section 3.4), and those
// that take no room. The two joiners (U+200C, U+200D) stay: Persian and emoji are written with them.
const DECEIVING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * @param {string} name the tag
 * @param {Record<string, unknown>} attributes `true` sets one without a value; `false`, `null` and
 *   `undefined` leave it out; `click`, `input`, `submit` … take a listener
 * @param {...(Node|string|null|undefined|false|Array)} children strings become text
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (GUARDED.test(key)) throw new TypeError(`${key} is not for element()`);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, String(value));
  }
  return fill(made, ...children);
}

/** Replace what an element holds. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child || child === 0));
  return parent;
}

/** The text with every character that could deceive a reader written out, like ⟨U+202E⟩. */
export function visible(text) {
  return String(text ?? "").replace(DECEIVING, (hidden) => {
    const code = hidden.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
}

/** Text from elsewhere, which can't reorder what stands around it. */
export function foreign(text, name = "bdi", attributes = {}) {
  return element(name, { dir: "auto", ...attributes }, visible(text));
}

/** A link to a source on the web; other schemes than http and https are shown and lead nowhere. */
export function external(url, label = url) {
  if (!isWeb(url)) return foreign(label, "span");
  const link = foreign(label, "a", { rel: "noopener noreferrer nofollow", target: "_blank" });
  link.href = url;
  link.append(" ", icon("out"), element("span", { class: "unseen" }, "(opens in a new tab)"));
  return link;
}

export function isWeb(url) {
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  return parsed !== null && ["http:", "https:"].includes(parsed.protocol);
}

/** A link within the page; `query` says what it shows. */
export function within(query, label, attributes = {}) {
  const link = element("a", attributes, label);
  link.href = address(query);
  return link;
}

/** The page's own address for what a query says. */
export function address(query = {}) {
  const parameters = new URLSearchParams(query).toString();
  return location.pathname + (parameters && `?${parameters}`);
}

/** A picture of `index.html`, beside words that say the same: it is not read out. */
export function icon(name) {
  const picture = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${name}`);
  picture.append(use);
  return picture;
}

/** What is said beside or below something, in small print. */
export function small(...content) {
  return element("span", { class: "small" }, content);
}

/** "1 claim", "2 claims". */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
