/**
 * Amounts of money as the API writes them: text such as "1200.50".
 *
 * They are counted in ten-thousandths, which is as exact as the API takes them, and never become
 * floating-point numbers.
 */

const AMOUNT = /^(\d{1,12})(?:\.(\d{1,4}))?$/;
const DECIMALS = 4;

/**
 * @param {string} text
 * @returns {bigint|null} how many ten-thousandths an amount has; null if the text is none
 */
export function counted(text) {
  const found = AMOUNT.exec(text.trim());
  return found && BigInt(found[1] + (found[2] ?? "").padEnd(DECIMALS, "0"));
}

/**
 * The text of so many ten-thousandths, with so many decimals.
 *
 * @param {bigint} tenThousandths
 * @param {number} decimals
 */
export function written(tenThousandths, decimals) {
  const digits = String(tenThousandths).padStart(DECIMALS + 1, "0");
  const whole = digits.slice(0, -DECIMALS);
  return decimals ? `${whole}.${digits.slice(-DECIMALS).slice(0, decimals)}` : whole;
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
