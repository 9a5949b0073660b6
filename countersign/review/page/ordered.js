/** The order that was placed, as it was approved. */

import { call, passed, proposalPath } from "./api.js";
import { element } from "./element.js";
import { orderElement } from "./order.js";
import { Problem } from "./problem-answer.js";
import { problemNotice } from "./problem.js";

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
