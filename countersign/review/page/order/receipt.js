/** What the receipt of an order says. */

import { foreign } from "../elements/element.js";
import { amountInWords } from "./order.js";

/**
 * @import { ReceiptView } from "../api.js"
 * @import { ReceiptFact } from "../kind.js"
 */

/**
 * Its facts in the order in which they are told.
 *
 * @type {Record<string, ReceiptFact>}
 */
export const ORDER_RECEIPT = {
  order_number: { name: "Order number" },
  total: { name: "Total", value: ({ total, currency }) => foreign(amountInWords(total, currency)) },
  destination: { name: "Destination" },
  written_at: { name: "Accepted at" },
  sha256: { name: "SHA-256 of the order" },
};

/**
 * " as order 4711", after "wrote version 2"
 *
 * @param {ReceiptView} receipt
 */
export function numberInWords({ order_number: number }) {
  return [" as order ", foreign(number)];
}
