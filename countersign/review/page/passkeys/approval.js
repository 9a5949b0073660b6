/** An approval that its approver signs with a passkey. */

import { announce } from "../elements/announce.js";
import { call, proposalPath } from "../session/api.js";
import { signWithPasskey } from "./device.js";

/**
 * @import { Review } from "../kind.js"
 * @import { Body } from "../proposal/verdict.js"
 */

/**
 * A decision with the signature of this person's passkey, if it takes one.
 *
 * It is asked for before the seconds in which a decision can be undone, while they are still here.
 *
 * @param {Review} review
 * @param {Body} body
 * @returns {Promise<Body>}
 */
export async function signedIfRequired({ id, version, proposal, me }, body) {
  if (body.decision !== "approve" || !proposal.may.passkey_required) return body;
  const json = { comment: body.comment };
  const challenge = await call(proposalPath(id, version, "/challenge"), { json, by: me });
  announce("Sign with your passkey.");
  return { ...body, passkey: await signWithPasskey(challenge) };
}
