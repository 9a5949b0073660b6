/** What is kept for this tab alone, until it is closed. */

const PREFIX = "countersign:";

/**
 * @param {string} name
 * @returns {any} undefined if nothing is kept under this name, or nothing can be kept here
 */
export function keptInTab(name) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {boolean} whether it is kept: storage can be blocked
 */
export function keepInTab(name, value) {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name */
export function forgetInTab(name) {
  try {
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // It was never kept.
  }
}
