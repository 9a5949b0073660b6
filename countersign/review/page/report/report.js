/**
 * The report as the server rendered it, the only markup that ever becomes part of the page.
 *
 * The server has sanitised it; it is parsed in a document where nothing runs, and only known
 * elements are copied over, so that neither side alone has to be right.
 */

import { element, external, isWeb, parts, visible } from "../elements/element.js";

/**
 * @import { Evidence, ReportChanges, ReportContent, VersionView } from "../api.js"
 * @import { Review } from "../kind.js"
 */

/**
 * @typedef {VersionView & {content: ReportContent, html: string, evidence: Evidence,
 *   changes: ReportChanges|null}} ReportVersion
 */
/** @typedef {Review<ReportVersion>} ReportReview */

const KNOWN = new Set(
  "p br hr blockquote pre code em strong s sup ul ol li table thead tbody tr th td h1 h2 h3 h4 h5 h6 a".split(
    " ",
  ),
);

const BLOCKS = new Set("p blockquote ul ol li table th td h1 h2 h3 h4 h5 h6".split(" "));
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Blocks from which on a report is laid out chapter by chapter, each when it comes near. */
const LONG = 200;

/**
 * The page's own heading, the topic, stands above those of the report.
 *
 * @type {Record<string, string>}
 */
const HEADINGS = { H1: "h2", H2: "h3", H3: "h4", H4: "h5", H5: "h6", H6: "h6" };

/** What a title that only repeats the topic begins with in the text. */
const TOPIC = "Topic: ";

// Not exported: nothing else on the page can make markup out of text.
const policy = globalThis.trustedTypes?.createPolicy("countersign-report", {
  createHTML: (html) => html,
});

/**
 * @param {ReportVersion} proposal
 * @returns {HTMLElement} the report as a sheet to read
 */
export function reportElement({ html, content }) {
  const parsed = new DOMParser().parseFromString(
    policy ? policy.createHTML(html) : html,
    "text/html",
  );
  const body = parts([...parsed.body.childNodes].map(copied));
  return element(
    "article",
    { class: "sheet", dir: directionOf(parsed.body) },
    titleUnless(parsed, content.title),
    body.length > LONG ? chapters(body) : body,
  );
}

/**
 * Each heading of the two highest levels with what follows it.
 *
 * @param {(Node|string)[]} body
 */
function chapters(body) {
  const made = [element("div", { class: "chapter" })];
  for (const block of body) {
    const begins = block instanceof HTMLHeadingElement && block.tagName <= "H3";
    if ((begins && made.at(-1)?.hasChildNodes()) || (made.at(-1)?.childNodes.length ?? 0) > LONG)
      made.push(element("div", { class: "chapter" }));
    made.at(-1)?.append(block);
  }
  return made;
}

/**
 * The direction of the first letter. What a browser finds for `auto` passes over the blocks within
 * a block, so a list or a quotation would never turn.
 *
 * @param {Node} block
 */
function directionOf(block) {
  const [letter] = /\p{L}/u.exec(block.textContent ?? "") ?? [];
  return letter && RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}

/**
 * The title that is stored with the text, where the text begins with another one or none.
 *
 * @param {Document} parsed
 * @param {string} title
 */
function titleUnless(parsed, title) {
  const first = parsed.body.firstElementChild;
  const shown = first?.tagName === "H1" ? first.textContent.trim() : null;
  if (shown === title.trim() || shown === `${TOPIC}${title.trim()}`) return null;
  return element("p", { class: "sheet-title" }, "Title: ", visible(title));
}

/**
 * @param {Node} node
 * @returns {Node|null}
 */
function copied(node) {
  if (node instanceof Text) return document.createTextNode(visible(node.data));
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (!KNOWN.has(name)) return document.createTextNode(visible(node.textContent));
  if (name === "a") return link(node);
  const tag = /** @type {keyof HTMLElementTagNameMap} */ (HEADINGS[node.tagName] ?? name);
  const attributes = {
    dir: BLOCKS.has(name) && directionOf(node),
    "data-align": node.getAttribute("align"),
  };
  const copy = element(tag, attributes, [...node.childNodes].map(copied));
  const start = node.getAttribute("start");
  if (name === "ol" && start) copy.setAttribute("start", start);
  return name === "table" ? scrolling(copy) : copy;
}

/**
 * A table that is wider than the page moves in a frame of its own, by keyboard too.
 *
 * @param {Node} table
 */
function scrolling(table) {
  const frame = { class: "wide", role: "region", "aria-label": "Table", tabindex: 0 };
  return element("div", frame, table);
}

/** @param {Element} node */
function link(node) {
  const url = node.getAttribute("href");
  return isWeb(url)
    ? external(String(url), node.textContent)
    : document.createTextNode(visible(node.textContent));
}
