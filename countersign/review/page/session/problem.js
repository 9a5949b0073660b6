/**
 * What a problem document has besides, which depends on its code.
 *
 * @typedef {Record<string, Typed>} Facts
 */

/** @import { Typed } from "../kind.js" */

/**
 * An answer that is not what was asked for.
 *
 * `code` is the problem document's (RFC 9457). Some are ours: "unreachable", nobody answered;
 * "unexpected", the answer is not the API's; "sign_in_unreachable" and "sign_in_failed", it was the
 * sign-in's provider.
 */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} detail
   * @param {Facts} [facts]
   */
  constructor(status, code, detail, facts = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.facts = facts;
  }
}

/**
 * The code of what went wrong; empty if it is no answer.
 *
 * @param {unknown} problem
 */
export function codeOf(problem) {
  return problem instanceof Problem ? problem.code : "";
}
