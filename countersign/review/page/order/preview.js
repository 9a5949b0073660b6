/** What a correction would change, in the form in which the API tells changes, before it is sent. */

import { counted, decimalsOf, written } from "./money.js";

/**
 * @import { ChangedField, ChangedLine, OrderContent, OrderLine } from "../api.js"
 * @import { OrderDifference } from "./changes.js"
 * @import { Counts } from "./figures.js"
 */

/**
 * @param {OrderContent} offered the order as it stands
 * @param {{vendor: string, destination: string|null,
 *   lines: Map<string, {quantity: bigint, price: bigint, total: bigint}>}} wanted
 *   the order as it should be; lines that are not in it are struck
 * @returns {OrderDifference}
 */
export function previewOf(offered, { vendor, destination, lines: kept }) {
  const decimals = decimalsOf(offered.total);
  const sum = [...kept.values()].reduce((all, { total }) => all + total, 0n);
  const fields = [
    { name: "vendor", before: offered.vendor, after: vendor },
    { name: "destination", before: offered.destination, after: destination },
    { name: "total", before: offered.total, after: written(sum, decimals) },
  ].filter(({ before, after }) => before !== after);
  const lines = offered.lines.map((line) => changeOf(line, kept.get(line.sku), decimals));
  return { fields, lines, widened: widened(fields, lines) };
}

/**
 * @param {OrderLine} line
 * @param {Counts|undefined} counts
 * @param {number} decimals
 * @returns {ChangedLine}
 */
function changeOf({ sku, description, ...before }, counts, decimals) {
  const after = counts
    ? {
        quantity: Number(counts.quantity),
        unit_price: written(counts.price, decimals),
        total: written(counts.total, decimals),
      }
    : null;
  const changed = after?.quantity !== before.quantity || after?.unit_price !== before.unit_price;
  return { sku, description, before, after, changed };
}

/**
 * The rule of the API: another vendor or destination, more of something, or more money.
 *
 * @param {ChangedField[]} fields
 * @param {ChangedLine[]} lines
 */
function widened(fields, lines) {
  const terms = fields.filter((field) => field.name !== "total" || isMore(field));
  const inLines = lines.flatMap(({ sku, before, after }) => {
    if (!before || !after) return [];
    const price = { before: before.unit_price, after: after.unit_price };
    return [
      ...(after.quantity > before.quantity ? [`lines.${sku}.quantity`] : []),
      ...(isMore(price) ? [`lines.${sku}.unit_price`] : []),
    ];
  });
  const [total, others] = [terms.filter(isTotal), terms.filter((field) => !isTotal(field))];
  return [...others.map(nameOf), ...inLines, ...total.map(nameOf)];
}

/** @param {{before: string|null, after: string|null}} figures */
function isMore({ before, after }) {
  return (counted(after ?? "") ?? 0n) > (counted(before ?? "") ?? 0n);
}

/** @param {ChangedField} field */
function isTotal({ name }) {
  return name === "total";
}

/** @param {ChangedField} field */
function nameOf({ name }) {
  return name;
}
