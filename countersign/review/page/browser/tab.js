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

const NAME = "name";

/** What this tab is called, which a reload doesn't change. */
export const tabName = keptInTab(NAME) ?? crypto.randomUUID();

// It is kept only while the page is reloaded: a copy of this tab begins with what is kept here.
forgetInTab(NAME);
addEventListener("pagehide", () => keepInTab(NAME, tabName));
addEventListener("pageshow", () => forgetInTab(NAME));
