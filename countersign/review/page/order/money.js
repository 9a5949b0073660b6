/**
 * Amounts of money as the API writes them: text such as "1200.50".
 *
 * They are counted in millionths, which is as exact as the API takes prices, and never become
 * floating-point numbers.
 */

export const MOST_DECIMALS = 6;

const AMOUNT = /^(\d{1,12})(?:\.(\d{1,6}))?$/;
const QUANTITY = /^(\d{1,7})(?:\.(\d{1,3}))?$/;
const DECIMALS_OF_QUANTITY = 3;

/**
 * @param {string} text
 * @returns {bigint|null} how many millionths an amount has; null if the text is none
 */
export function counted(text) {
  return parts(AMOUNT, text, MOST_DECIMALS);
}

/**
 * @param {string} text
 * @returns {bigint|null} how many thousandths a quantity has; null if the text is none
 */
export function thousandths(text) {
  return parts(QUANTITY, text, DECIMALS_OF_QUANTITY);
}

/**
 * What so much costs at a price, rounded half up to so many decimals, in millionths.
 *
 * @param {bigint} quantity in thousandths
 * @param {bigint} price in millionths
 * @param {number} decimals
 */
export function cost(quantity, price, decimals) {
  const step = 10n ** BigInt(MOST_DECIMALS - decimals);
  const least = step * 10n ** BigInt(DECIMALS_OF_QUANTITY);
  return ((quantity * price + least / 2n) / least) * step;
}

/**
 * The text of so many millionths, with so many decimals.
 *
 * @param {bigint} millionths
 * @param {number} decimals
 */
export function written(millionths, decimals) {
  const digits = String(millionths).padStart(MOST_DECIMALS + 1, "0");
  const whole = digits.slice(0, -MOST_DECIMALS);
  return decimals ? `${whole}.${digits.slice(-MOST_DECIMALS).slice(0, decimals)}` : whole;
}

/**
 * An amount as the API writes it, of one that was typed as people write it: "1.249,50" and "1,249.50"
 * are 1249.50, and so is "1249,50". What could mean two amounts stays as it is.
 *
 * @param {string} text
 */
export function asWritten(text) {
  const typed = text.trim().replace(/[\s'’]/g, "");
  if (/^\d{1,3}(\.\d{3})+,\d{1,4}$|^\d+,\d{1,2}$/.test(typed))
    return typed.replaceAll(".", "").replace(",", ".");
  if (/^\d{1,3}(,\d{3})+\.\d{1,4}$/.test(typed)) return typed.replaceAll(",", "");
  return typed;
}

/** @param {string} text */
export function decimalsOf(text) {
  return text.trim().split(".")[1]?.length ?? 0;
}

/**
 * "1,234,567.50"
 *
 * @param {unknown} text
 */
export function grouped(text) {
  const [whole, ...part] = String(text).split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...part].join(".");
}

/**
 * "2.5 kg", and of pieces the number alone.
 *
 * @param {{quantity: number|string, unit?: string|null}} line
 */
export function quantityInWords({ quantity, unit }) {
  return unit ? `${grouped(quantity)} ${unit}` : grouped(quantity);
}

/**
 * @param {RegExp} pattern
 * @param {string} text
 * @param {number} decimals
 */
function parts(pattern, text, decimals) {
  const found = pattern.exec(text.trim());
  return found && BigInt(found[1] + (found[2] ?? "").padEnd(decimals, "0"));
}
