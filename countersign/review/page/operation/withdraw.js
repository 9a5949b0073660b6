/** Take a request back, which only its requester can, and only before anything is written. */

import { announce } from "../elements/announce.js";
import { element, fill } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { call, operationPath } from "../session/api.js";
import { kindOf } from "../words/kinds.js";
import { problemNotice } from "../words/problem-notice.js";

/** @import { LimitsView, Me, OperationView } from "../api.js" */

/**
 * @param {OperationView} operation as the API shows it
 * @param {Me} me
 * @param {LimitsView} limits
 * @param {() => void} withdrawn called once it is
 */
export function withdrawElement({ operation_id: operation, kind }, me, limits, withdrawn) {
  const reason = element("textarea", { id: "reason", rows: 2, maxlength: limits.longest_comment });
  const trouble = element("div");
  const send = element("button", { class: "button primary reject" }, "Withdraw the request");
  /** @param {SubmitEvent} [event] */
  const submit = async (event) => {
    event?.preventDefault();
    send.disabled = true;
    fill(trouble);
    try {
      const json = { reason: reason.value.trim() };
      await call(operationPath(operation, "/withdraw"), { json, by: me });
      announce("The request was withdrawn.");
      withdrawn();
    } catch (problem) {
      fill(trouble, problemNotice(problem, { operation, retry: () => submit() }));
    } finally {
      send.disabled = false;
    }
  };
  const fold = element(
    "details",
    { class: "card withdraw" },
    element("summary", {}, "Withdraw this request"),
  );
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
      element("label", { for: "reason" }, "Reason (optional)"),
      reason,
      trouble,
      element("div", { class: "actions" }, send, cancel),
    ),
  );
  return fold;
}
