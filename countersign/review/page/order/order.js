/** An order as it would be placed: to whom, what, and for how much. */

import { element, foreign, visible } from "../elements/element.js";
import { articleElements, linesTable } from "./lines-table.js";
import { grouped, quantityInWords } from "./money.js";

/**
 * @import { OrderChanges, OrderContent, OrderLine, VersionView } from "../api.js"
 * @import { Child } from "../elements/element.js"
 * @import { Review } from "../kind.js"
 */

/** @typedef {VersionView & {content: OrderContent, changes: OrderChanges|null}} OrderVersion */
/** @typedef {Review<OrderVersion>} OrderReview */

const COLUMNS = [
  { name: "Article" },
  { name: "Quantity", figure: true },
  { name: "Unit price", figure: true },
  { name: "Line total", figure: true },
];

/** @param {OrderContent} content the order */
export function orderElement(content) {
  const { vendor, destination, lines, reason } = content;
  return element(
    "article",
    { class: "order" },
    element(
      "dl",
      { class: "order-terms" },
      term("Vendor", foreign(vendor, "strong")),
      term("Deliver to", destination ? foreign(destination) : "as agreed with the vendor"),
      term("Reason", element("p", { class: "reason", dir: "auto" }, visible(reason))),
    ),
    linesTable("Lines of the order", COLUMNS, lines.map(row), totalRow(content)),
  );
}

/**
 * An amount with its currency, as people read it.
 *
 * @param {string|null|undefined} amount
 * @param {string|null|undefined} currency
 */
export function amountInWords(amount, currency) {
  return `${grouped(amount)} ${visible(currency)}`;
}

/**
 * @param {string} name
 * @param {Child} content
 */
function term(name, content) {
  return element("div", {}, element("dt", {}, name), element("dd", {}, content));
}

/** @param {OrderLine} line */
function row({ quantity, unit, unit_price: price, total, ...article }) {
  const many = visible(quantityInWords({ quantity, unit }));
  return {
    cells: [articleElements(article), many, grouped(price), grouped(total)],
  };
}

/** @param {OrderContent} order */
function totalRow({ total, currency }) {
  const span = COLUMNS.length - 1;
  return element(
    "tr",
    { role: "row", class: "grand-total" },
    element(
      "th",
      { scope: "row", role: "rowheader", colspan: span, "aria-colspan": span },
      "Total",
    ),
    element("td", { role: "cell", class: "figure" }, amountInWords(total, currency)),
  );
}
