/** What a correction would change, in the form in which the API tells changes, before it is sent. */

import { counted, decimalsOf, written } from "./money.js";

/**
 * @param {object} offered the order as it stands
 * @param {{vendor: string, destination: string|null,
 *   lines: Map<string, {quantity: bigint, price: bigint, total: bigint}>}} wanted
 *   the order as it should be; lines that are not in it are struck
 */
export function previewOf(offered, { vendor, destination, lines: kept }) {
  const decimals = decimalsOf(offered.total);
  const sum = [...kept.values()].reduce((all, { total }) => all + total, 0n);
  const after = { vendor, destination, total: written(sum, decimals) };
  const fields = Object.keys(after)
    .filter((name) => after[name] !== offered[name])
    .map((name) => ({ name, before: offered[name], after: after[name] }));
  const lines = offered.lines.map((line) => changeOf(line, kept.get(line.sku), decimals));
  return { fields, lines, widened: widened(fields, lines) };
}

function changeOf({ sku, description, ...before }, counts, decimals) {
  const after = counts
    ? {
        quantity: Number(counts.quantity),
        unit_price: written(counts.price, decimals),
        total: written(counts.total, decimals),
      }
    : null;
  const changed = after?.quantity !== before.quantity || after.unit_price !== before.unit_price;
  return { sku, description, before, after, changed };
}

/** The rule of the API: another vendor or destination, more of something, or more money. */
function widened(fields, lines) {
  const terms = fields.filter((field) => field.name !== "total" || isMore(field));
  const inLines = lines
    .filter(({ after }) => after)
    .flatMap(({ sku, before, after }) => [
      ...(after.quantity > before.quantity ? [`lines.${sku}.quantity`] : []),
      ...(isMore({ before: before.unit_price, after: after.unit_price })
        ? [`lines.${sku}.unit_price`]
        : []),
    ]);
  const [total, others] = [terms.filter(isTotal), terms.filter((field) => !isTotal(field))];
  return [...others.map(nameOf), ...inLines, ...total.map(nameOf)];
}

function isMore({ before, after }) {
  return counted(after) > counted(before);
}

function isTotal({ name }) {
  return name === "total";
}

function nameOf({ name }) {
  return name;
}
