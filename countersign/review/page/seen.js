/** Which version of an operation a person saw last, to tell them what is new to them. */

import { keep, kept } from "./keep.js";

/**
 * Note that a version is being looked at.
 *
 * @returns {number|null} the version seen before this one; the same answer on every reload
 */
export function see(person, operation, version) {
  const name = `seen:${person}:${operation}`;
  const last = kept(name);
  if (last && version <= last.version) return version === last.version ? last.before : null;
  const before = last?.version ?? null;
  keep(name, { version, before });
  return before;
}
