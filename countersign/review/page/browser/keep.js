/**
 * What the browser keeps for this page between visits.
 *
 * Storage can be blocked or full. Then everything is kept in memory for as long as the tab is open,
 * and `lasting` says so, because people would like to know before they close it.
 */

const PREFIX = "countersign:";
const held = new Map();
let blocked = false;

/**
 * @param {string} name
 * @returns {any} what was kept under a name, or undefined
 */
export function kept(name) {
  if (held.has(name)) return held.get(name);
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  held.set(name, value);
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    // From here on storage is the only truth, since another tab may write to it.
    held.delete(name);
    blocked = false;
  } catch {
    blocked = true;
  }
}

/** @param {string} name */
export function forget(name) {
  held.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // What can't be read can't be kept either.
  }
}

/**
 * @param {string} beginning
 * @returns {string[]} every name that begins like this
 */
export function namesOfKept(beginning) {
  const names = new Set(held.keys());
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX)) names.add(key.slice(PREFIX.length));
    }
  } catch {
    // Only what is in memory, then.
  }
  return [...names].filter((name) => name.startsWith(beginning));
}

/** Whether what was kept last outlives the tab. */
export function lasting() {
  return !blocked;
}

/**
 * Hear of what other tabs keep or forget under names that begin like this.
 *
 * @param {string} beginning
 * @param {() => void} changed
 * @param {AbortSignal} signal
 */
export function whenKeptElsewhere(beginning, changed, signal) {
  /** @param {StorageEvent} event */
  const take = ({ key }) => key?.startsWith(PREFIX + beginning) && changed();
  addEventListener("storage", take, { signal });
}
