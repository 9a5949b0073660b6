/** A card that ends an operation: its requester withdraws it, or an operator stops it. */

import { announce } from "../elements/announce.js";
import { element, fill } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { call, operationPath } from "../session/api.js";
import { kindOf } from "../words/kinds.js";
import { problemNotice } from "../words/problem-notice.js";

/** @import { LimitsView, Me, OperationView } from "../api.js" */

/**
 * @typedef {object} Way
 * @property {string} path of the call, below the operation
 * @property {string} title
 * @property {string} press what the button says
 * @property {string} label of the reason
 * @property {boolean} required whether it takes a reason
 * @property {string} done what is said once it is done
 */

/** @type {Way} */
export const WITHDRAW = {
  path: "/withdraw",
  title: "Withdraw this request",
  press: "Withdraw the request",
  label: "Reason (optional)",
  required: false,
  done: "The request was withdrawn.",
};

/** @type {Way} */
export const STOP = {
  path: "/stop",
  title: "Stop this operation",
  press: "Stop the operation",
  label: "Reason",
  required: true,
  done: "The operation was stopped.",
};

/**
 * @param {OperationView} operation as the API shows it
 * @param {Way} way
 * @param {{me: Me, limits: LimitsView, ended: () => void}} options `ended` is called once it is
 */
export function endingElement({ operation_id: operation, kind }, way, { me, limits, ended }) {
  const id = `reason${way.path.replace("/", "-")}`;
  const reason = element("textarea", { id, rows: 2, maxlength: limits.longest_comment });
  reason.required = way.required;
  const trouble = element("div");
  const send = element("button", { class: "button primary reject" }, way.press);
  /** @param {SubmitEvent} [event] */
  const submit = async (event) => {
    event?.preventDefault();
    send.disabled = true;
    fill(trouble);
    try {
      const json = { reason: reason.value.trim() };
      await call(operationPath(operation, way.path), { json, by: me });
      announce(way.done);
      ended();
    } catch (problem) {
      fill(trouble, problemNotice(problem, { operation, retry: () => submit() }));
    } finally {
      send.disabled = false;
    }
  };
  const fold = element("details", { class: "card withdraw" }, element("summary", {}, way.title));
  const cancel = button("Keep it", () => fold.removeAttribute("open"));
  fold.append(
    element(
      "form",
      { submit },
      element(
        "p",
        {},
        `The operation ends and nothing is ${kindOf(kind).done}. Reviewers see your reason. You cannot undo this.`,
      ),
      element("label", { for: id }, way.label),
      reason,
      trouble,
      element("div", { class: "actions" }, send, cancel),
    ),
  );
  return fold;
}
