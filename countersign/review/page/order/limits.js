/** What an order can hold at the most. */

/** @import { LimitsView, OrderLimits } from "../api.js" */

/**
 * Where no orders can be asked for the API names no limits; it refuses then by itself.
 *
 * @type {OrderLimits}
 */
const NONE = {
  longest_line: 1e6,
  longest_reason: 1e6,
  most_lines: 1e6,
  most_pieces: 1e6,
  currencies: [],
};

/** @param {LimitsView} limits */
export function orderLimits({ order }) {
  return order ?? NONE;
}

/**
 * How many decimals an amount of a currency can have; those of most if it is not one of the API's.
 *
 * @param {OrderLimits} limits
 * @param {string} currency
 */
export function decimalsIn({ currencies }, currency) {
  return currencies.find((each) => each.currency === currency)?.decimals ?? 2;
}
