/** The headings of a longer report, each a link to where it stands. */

import { element } from "../elements/element.js";

/** A report with fewer is looked through at a glance. */
const FEWEST = 8;

/**
 * @param {HTMLElement} sheet the report, whose headings get names that links can lead to
 * @returns {HTMLElement|null} nothing for a short one
 */
export function contentsElement(sheet) {
  const headings = [...sheet.querySelectorAll("h2, h3, h4")];
  if (headings.length < FEWEST) return null;
  const links = headings.map((heading, place) => {
    heading.id = `report-${place + 1}`;
    const link = element("a", {}, heading.textContent);
    link.href = `#${heading.id}`;
    link.dir = "auto";
    return element("li", { "data-level": heading.tagName.slice(1) }, link);
  });
  return element(
    "details",
    { class: "contents" },
    element("summary", {}, "Contents"),
    element("nav", { "aria-label": "Contents of the report" }, element("ol", {}, links)),
  );
}
