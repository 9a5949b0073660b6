/**
 * The token that calls of the API carry.
 *
 * Tokens of a sign-in are nowhere but in this tab's memory: what reads the browser's storage finds
 * none, and loading the page again gets new ones. A pasted token stays in the tab's session: it
 * could not be had again without its owner.
 */

import { forgetInTab, keepInTab, keptInTab } from "../browser/tab.js";
import { renew } from "./authorization.js";
import { codeOf } from "./problem.js";

/** @import { Tokens } from "./authorization.js" */

const NAME = "token";

let pasted = keptInTab(NAME) ?? "";
/** @type {Tokens|null} */
let tokens = null;
/** @type {Promise<boolean>|null} */
let renewing = null;

/** @returns {string} "" if there is none */
export function bearer() {
  return pasted || (tokens?.access ?? "");
}

export function pastedToken() {
  return pasted;
}

/** @param {string} given */
export function useToken(given) {
  pasted = given.trim().replace(/^Bearer\s+/i, "");
  keepInTab(NAME, pasted);
}

/** @param {Tokens} given */
export function useTokens(given) {
  dropTokens();
  tokens = given;
}

/** @returns {Tokens|null} those of a sign-in, which are gone then */
export function dropTokens() {
  const dropped = tokens;
  tokens = null;
  pasted = "";
  forgetInTab(NAME);
  return dropped;
}

/**
 * Get a new token in place of one that the API did not take.
 *
 * @param {string} used the one that was sent; another call may have renewed it meanwhile
 * @returns {Promise<boolean>} whether there is another one now
 */
export async function renewed(used) {
  if (pasted || !tokens) return false;
  if (tokens.access !== used) return true;
  if (!tokens.refresh) return false;
  renewing ??= replace(tokens);
  return renewing;
}

/**
 * A refresh token is good once: calls that need a new token at the same time share the request.
 *
 * @param {Tokens} before
 */
async function replace(before) {
  try {
    const given = await renew(before);
    if (tokens === before) tokens = given;
    return tokens === given;
  } catch (problem) {
    if (codeOf(problem) === "sign_in_failed") before.refresh = undefined;
    return false;
  } finally {
    renewing = null;
  }
}
