/** What a correction makes of an order: old and new figures, and in what it goes beyond the old. */

import { element, foreign, icon } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { articleElements, linesTable } from "./lines-table.js";
import { grouped } from "./money.js";
import { amountInWords } from "./order.js";

/**
 * @import { ChangedField, ChangedLine, OrderChanges } from "../api.js"
 * @import { Child } from "../elements/element.js"
 */

/** @typedef {Pick<OrderChanges, "fields"|"lines"|"widened">} OrderDifference between two orders */

const COLUMNS = [
  { name: "Article" },
  { name: "Quantity", figure: true },
  { name: "Unit price", figure: true },
  { name: "Line total", figure: true },
  { name: "Change" },
];
/** @type {Record<string, string>} */
const FIELDS = { vendor: "Vendor", destination: "Deliver to", total: "Total" };
/** @type {Record<string, string>} */
const BEYOND = {
  vendor: "another vendor",
  destination: "another destination",
  currency: "another currency",
  total: "a higher total",
};
/** @type {Record<string, string>} */
const BEYOND_IN_A_LINE = { quantity: "more of ", unit_price: "a higher price of " };
/** @type {{name: "quantity"|"unit_price", more: string, less: string}[]} */
const IN_A_LINE = [
  { name: "quantity", more: "a larger quantity", less: "a smaller quantity" },
  { name: "unit_price", more: "a higher price", less: "a lower price" },
];

/**
 * @param {OrderDifference} changes `fields`, `lines` and `widened`, as the API tells them
 * @param {string} currency
 */
export function orderDifference(changes, currency) {
  const { fields, lines, widened } = changes;
  if (!fields.length && !lines.some((line) => line.changed))
    return element("p", {}, "The two orders are the same.");
  return element(
    "div",
    { class: "order-difference" },
    beyondElement(widened),
    figuresElement(changes, currency),
  );
}

/**
 * Old and new figures alone.
 *
 * @param {OrderDifference} changes
 * @param {string} currency
 */
export function figuresElement({ fields, lines, widened }, currency) {
  return element(
    "div",
    { class: "order-difference" },
    fieldsElement(fields, currency),
    linesTable(
      "What changed in each line",
      COLUMNS,
      lines.map((line) => row(line, widened)),
    ),
  );
}

/**
 * In what an order goes beyond another, in words: "more of A-1; a higher total".
 *
 * @param {string[]} widened
 * @returns {Child[]}
 */
export function beyondInWords(widened) {
  return widened.flatMap((name, place) => [place ? "; " : "", ...beyond(name)]);
}

/**
 * @param {string} name
 * @returns {Child[]}
 */
function beyond(name) {
  const [, sku, figure] = /^lines\.(.*)\.(quantity|unit_price)$/.exec(name) ?? [];
  return figure ? [BEYOND_IN_A_LINE[figure], foreign(sku)] : [BEYOND[name] ?? foreign(name)];
}

/** @param {string[]} widened */
function beyondElement(widened) {
  if (!widened.length) return element("p", { class: "hint" }, "No change needs another approver.");
  return notice(
    "warn",
    ["These changes need another approver: ", beyondInWords(widened), "."],
    "The person who made them cannot be the only one to approve it.",
  );
}

/**
 * @param {ChangedField[]} fields
 * @param {string} currency
 */
function fieldsElement(fields, currency) {
  const items = fields.map(({ name, before, after }) => {
    /** @param {string|null} value */
    const shown = (value) => shownField(name, value, currency);
    return element(
      "div",
      {},
      element("dt", {}, FIELDS[name] ?? foreign(name)),
      element("dd", {}, changed(before, after, shown)),
    );
  });
  return items.length ? element("dl", { class: "order-terms" }, items) : null;
}

/**
 * @param {string} name
 * @param {string|null} value
 * @param {string} currency
 */
function shownField(name, value, currency) {
  if (name === "total") return amountInWords(value, currency);
  return value === null ? "as agreed with the vendor" : foreign(value);
}

/**
 * @param {ChangedLine} line
 * @param {string[]} widened
 */
function row(line, widened) {
  const { before, after } = line;
  /** @param {"quantity"|"unit_price"|"total"} name */
  const figure = (name) => changed(before?.[name], after?.[name], grouped);
  return {
    kind: after ? "" : "struck",
    cells: [
      articleElements(line),
      figure("quantity"),
      figure("unit_price"),
      figure("total"),
      inWords(line, widened),
    ],
  };
}

/**
 * The old value struck and the new one behind it; what only one of them has stands alone.
 *
 * @template Value
 * @param {Value|undefined} before
 * @param {Value|undefined} after
 * @param {(value: Value) => Child} shown
 * @returns {Child}
 */
function changed(before, after, shown) {
  if (before === undefined) return after === undefined ? null : element("ins", {}, shown(after));
  if (after === undefined) return element("del", {}, shown(before));
  if (before === after) return shown(after);
  const becomes = element("span", { class: "unseen" }, "becomes ");
  const arrow = element("span", { "aria-hidden": "true" }, "→ ");
  const now = element("span", { class: "now" }, becomes, arrow, element("ins", {}, shown(after)));
  return [element("del", {}, shown(before)), " ", now];
}

/**
 * @param {ChangedLine} line
 * @param {string[]} widened
 */
function inWords({ sku, before, after, changed: differs }, widened) {
  if (!differs) return element("span", { class: "hint" }, "unchanged");
  if (!after) return "struck";
  if (!before) return goesBeyond("added");
  return IN_A_LINE.filter(({ name }) => before[name] !== after[name]).map(({ name, more, less }) =>
    widened.includes(`lines.${sku}.${name}`) ? goesBeyond(more) : element("span", {}, less),
  );
}

/** @param {string} what */
function goesBeyond(what) {
  return element("strong", { class: "beyond" }, icon("alert"), `${what}: needs another approver`);
}
