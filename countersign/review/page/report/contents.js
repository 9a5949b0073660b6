/** The headings of a longer report, each a link to where it stands, and how far it was read. */

import { keep, kept } from "../browser/keep.js";
import { element, fill } from "../elements/element.js";
import { goTo } from "./go-to.js";

/** @import { ReportReview } from "./report.js" */

/** A report with fewer is looked through at a glance. */
const FEWEST = 8;

/**
 * @param {HTMLElement} sheet the report, whose headings get names that links can lead to
 * @param {ReportReview} review
 * @param {AbortSignal} signal
 * @returns {HTMLElement|null} nothing for a short one
 */
export function contentsElement(sheet, { id, version, me }, signal) {
  const headings = [...sheet.querySelectorAll("h2, h3, h4")];
  if (headings.length < FEWEST) return null;
  const entries = headings.map((heading, place) => {
    heading.id = `report-${place + 1}`;
    const go = () => goTo(heading, "start");
    const link = element("a", { dir: "auto", click: go }, heading.textContent);
    link.href = `#${heading.id}`;
    return element("li", { "data-level": heading.tagName.slice(1) }, link);
  });
  const read = element("span", { class: "hint" });
  noteReading(headings, entries, read, { name: `read:${me.id}:${id}:${version}`, signal });
  return element(
    "details",
    { class: "contents" },
    element("summary", {}, "Contents", read),
    element("nav", { "aria-label": "Contents of the report" }, element("ol", {}, entries)),
  );
}

/**
 * Note in the entries which headings were on the screen, now or at an earlier visit.
 *
 * @param {Element[]} headings
 * @param {HTMLElement[]} entries
 * @param {HTMLElement} said how many they are
 * @param {{name: string, signal: AbortSignal}} options
 */
function noteReading(headings, entries, said, { name, signal }) {
  /** @type {Set<number>} */
  const read = new Set(kept(name));
  const tell = () => {
    for (const place of read) entries[place]?.setAttribute("data-read", "");
    fill(said, read.size > 0 && `, ${read.size} of ${entries.length} parts read so far`);
  };
  const seen = new IntersectionObserver((changes) => {
    const shown = changes.filter(({ isIntersecting }) => isIntersecting);
    for (const { target } of shown) read.add(headings.indexOf(target));
    if (!shown.length) return;
    keep(name, [...read]);
    tell();
  });
  for (const heading of headings) seen.observe(heading);
  signal.addEventListener("abort", () => seen.disconnect());
  tell();
}
