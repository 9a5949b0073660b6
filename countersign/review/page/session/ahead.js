/**
 * Answers that are asked for before it is known who asks, because it was known the last time.
 *
 * Each is taken once, and soon: what nobody takes at once is out of date.
 */

import { forget, keep, kept } from "../browser/keep.js";
import { call } from "./api.js";
import { bearer } from "./token.js";

/** @import { Me } from "../api.js" */

/** @typedef {Pick<Me, "roles"|"may">} Rights what a person may do here, without who it is */

const NAME = "rights";

/** @type {Map<string, Promise<any>>} */
const asked = new Map();

/**
 * What the last person who used this browser may do; undefined if nothing was kept, or if they had
 * a token that this page has not got yet.
 *
 * @returns {Rights|undefined}
 */
export function rightsLastTime() {
  const last = kept(NAME);
  return last && Boolean(bearer()) === last.byToken ? last : undefined;
}

/** @param {Me|null} me */
export function keepRights(me) {
  if (me) keep(NAME, { roles: me.roles, may: me.may, byToken: Boolean(bearer()) });
  else forget(NAME);
}

/**
 * Ask for something that will be wanted.
 *
 * @param {string} path of a call that only reads
 * @param {AbortSignal} signal
 */
export function askAhead(path, signal) {
  const answer = call(path, { signal });
  answer.catch(() => undefined);
  asked.set(path, answer);
}

/** Forget what was asked for and not taken. */
export function endAhead() {
  asked.clear();
}

/**
 * The answer that was asked for ahead, or else a new one.
 *
 * @param {string} path
 * @param {AbortSignal} signal
 */
export function callAhead(path, signal) {
  const answer = asked.get(path);
  asked.delete(path);
  return answer ?? call(path, { signal });
}
