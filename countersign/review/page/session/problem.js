/**
 * An answer that is not what was asked for.
 *
 * `code` is the problem document's (RFC 9457). Some are ours: "unreachable", nobody answered;
 * "unexpected", the answer is not the API's; "sign_in_unreachable" and "sign_in_failed", it was the
 * sign-in's provider.
 */
export class Problem extends Error {
  constructor(status, code, detail, facts = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.facts = facts;
  }
}
