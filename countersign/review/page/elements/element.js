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
 * What an element holds: text, other elements, and what of them there is.
 *
 * @typedef {Node|string|number|null|undefined|boolean|Child[]} Child
 */

/**
 * `true` sets an attribute without a value; `false`, `null` and `undefined` leave it out; `click`,
 * `input`, `submit` … take a listener.
 *
 * @typedef {{[Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => unknown}
 *   & {[name: string]: unknown}} Attributes
 */

/**
 * What the page's address says after the question mark.
 *
 * @typedef {Record<string, string|number>} Query
 */

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name the tag
 * @param {Attributes} attributes
 * @param {...Child} children strings become text
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function")
      made.addEventListener(key, /** @type {EventListener} */ (value));
    else if (GUARDED.test(key)) throw new TypeError(`${key} is not for element()`);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, String(value));
  }
  return fill(made, ...children);
}

/**
 * Replace what an element holds.
 *
 * @template {Element} Parent
 * @param {Parent} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(...parts(children));
  return parent;
}

/**
 * What there is of it, one after the other.
 *
 * @param {Child} child
 * @returns {(Node|string)[]}
 */
export function parts(child) {
  if (Array.isArray(child)) return child.flatMap(parts);
  if (child instanceof Node) return [child];
  return child || child === 0 ? [String(child)] : [];
}

/**
 * The text with every character that could deceive a reader written out, like ⟨U+202E⟩.
 *
 * @param {unknown} text
 */
export function visible(text) {
  return String(text ?? "").replace(DECEIVING, (hidden) => {
    const code = /** @type {number} */ (hidden.codePointAt(0))
      .toString(16)
      .toUpperCase()
      .padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
}

/**
 * Text from elsewhere, which can't reorder what stands around it.
 *
 * @template {keyof HTMLElementTagNameMap} [Name="bdi"]
 * @param {unknown} text
 * @param {Name} [name]
 * @param {Attributes} attributes
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function foreign(text, name = /** @type {Name} */ ("bdi"), attributes = {}) {
  return element(name, { dir: "auto", ...attributes }, visible(text));
}

/**
 * A link to a source on the web; other schemes than http and https are shown and lead nowhere.
 *
 * @param {string} url
 * @param {string} [label]
 */
export function external(url, label = url) {
  if (!isWeb(url)) return foreign(label, "span");
  const link = foreign(label, "a", { rel: "noopener noreferrer nofollow", target: "_blank" });
  link.href = url;
  link.append(" ", icon("out"), element("span", { class: "unseen" }, "(opens in a new tab)"));
  return link;
}

/** @param {unknown} url */
export function isWeb(url) {
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  return parsed !== null && ["http:", "https:"].includes(parsed.protocol);
}

/**
 * A link within the page; `query` says what it shows.
 *
 * @param {Query} query
 * @param {Child} label
 * @param {Attributes} attributes
 */
export function within(query, label, attributes = {}) {
  const link = element("a", attributes, label);
  link.href = address(query);
  return link;
}

/**
 * The page's own address for what a query says.
 *
 * @param {Query} [query]
 */
export function address(query = {}) {
  const parameters = new URLSearchParams(/** @type {Record<string, string>} */ (query)).toString();
  return location.pathname + (parameters && `?${parameters}`);
}

/**
 * A picture of `index.html`, beside words that say the same: it is not read out.
 *
 * @param {string} name
 */
export function icon(name) {
  const picture = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${name}`);
  picture.append(use);
  return picture;
}

/**
 * What is said beside or below something, in small print.
 *
 * @param {...Child} content
 */
export function small(...content) {
  return element("span", { class: "small" }, content);
}

/**
 * "1 claim", "2 claims".
 *
 * @param {number} number
 * @param {string} one
 */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
