/** Which version of an operation a person saw last, to tell them what is new to them. */

import { keep, kept } from "../browser/keep.js";

/**
 * @param {string} person
 * @param {string} operation
 * @param {number} version
 * @returns {number|null} the version seen before this one; the same answer on every reload
 */
export function seenBefore(person, operation, version) {
  const last = kept(nameOf(person, operation));
  if (last && version <= last.version) return version === last.version ? last.before : null;
  return last?.version ?? null;
}

/**
 * Note that a version was shown.
 *
 * @param {string} person
 * @param {string} operation
 * @param {number} version
 */
export function see(person, operation, version) {
  const name = nameOf(person, operation);
  const last = kept(name);
  if (!last || version > last.version) keep(name, { version, before: last?.version ?? null });
}

/**
 * @param {string} person
 * @param {string} operation
 */
function nameOf(person, operation) {
  return `seen:${person}:${operation}`;
}
