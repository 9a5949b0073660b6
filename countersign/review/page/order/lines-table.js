/** The lines of an order as a table, whose rows are cards where there is little room. */

import { element, visible } from "../elements/element.js";

/** @import { Child } from "../elements/element.js" */

/** @typedef {{name: string, figure?: boolean}} Column */
/** @typedef {{cells: Child[], kind?: string}} Row */

/**
 * @param {string} caption
 * @param {Column[]} columns the first one heads each row
 * @param {Row[]} rows
 * @param {HTMLElement} [foot] the last row
 */
export function linesTable(caption, columns, rows, foot) {
  const heads = columns.map(({ name, figure }) =>
    element("th", { scope: "col", role: "columnheader", class: figure && "figure" }, name),
  );
  const table = element(
    "table",
    // A table that is laid out as something else keeps its roles only if they are named.
    { class: "lines", role: "table" },
    element("caption", { class: "unseen" }, caption),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, heads)),
    element(
      "tbody",
      { role: "rowgroup" },
      rows.map((row) => rowElement(columns, row)),
    ),
    foot && element("tfoot", { role: "rowgroup" }, foot),
  );
  return element("div", { class: "lines-frame" }, table);
}

/**
 * What a line is about: its number with the vendor, and what that is.
 *
 * @param {{sku: string, description: string}} article
 */
export function articleElements({ sku, description }) {
  return [
    element("code", {}, visible(sku)),
    element("span", { class: "article", dir: "auto" }, visible(description)),
  ];
}

/**
 * @param {Column[]} columns
 * @param {Row} row
 */
function rowElement(columns, { cells, kind }) {
  const [head, ...others] = cells.map((cell, place) => {
    const { name, figure } = columns[place];
    const shared = { class: figure && "figure", "data-column": name };
    return place
      ? element("td", { role: "cell", ...shared }, element("div", {}, cell))
      : element("th", { scope: "row", role: "rowheader", ...shared }, cell);
  });
  return element("tr", { role: "row", "data-kind": kind }, head, others);
}
