/** The order that was placed, as it was approved. */

import { element } from "../elements/element.js";
import { call, passed, proposalPath } from "../session/api.js";
import { Problem } from "../session/problem.js";
import { problemNotice } from "../words/problem-notice.js";
import { orderElement } from "./order.js";

/** @import { OperationView } from "../api.js" */

/**
 * @param {OperationView} operation
 * @param {number} version
 * @param {AbortSignal} signal
 */
export async function orderedElement({ operation_id: id }, version, signal) {
  const approved = await call(proposalPath(id, version), { signal }).catch(passed);
  // Whoever may not see proposals sees the receipt alone.
  if (approved.code === "not_authorised") return null;
  return element(
    "section",
    { class: "card", "aria-labelledby": "ordered-title" },
    element("h2", { id: "ordered-title" }, "The order that was placed"),
    approved instanceof Problem ? problemNotice(approved) : orderElement(approved.content),
  );
}
