/** The answer to a recorded decision: what stands, what follows, and what waits next. */

import { call } from "./api.js";
import { OWNER_FOLLOWS } from "./choices.js";
import { element, fill, foreign, within } from "./element.js";
import { notice } from "./notice.js";
import { timeElement, exactTime } from "./time.js";
import { decided } from "./words.js";

const FOLLOWS = {
  approved: "It is being published now.",
  pending: "It counts, and somebody else has to approve too before anything is published.",
  rejected: "The operation ends, and nothing is published.",
  superseded: "The next version is being made. It waits for a decision of its own.",
};
const LAST = `The operation ends: ${OWNER_FOLLOWS}`;

/** @param {import("./verdict.js").Recorded & {last: boolean}} recorded `last`: no version can follow */
export function receiptElement({ receipt, delivery, status, last }, signal) {
  const next = element("div", { class: "next" });
  nextInInbox(receipt.operation_id, signal).then((link) => fill(next, link));
  return element(
    "div",
    { class: "receipt" },
    notice(
      "good",
      [
        "Recorded: ",
        foreign(receipt.by),
        ` ${decided(receipt.decision)} version ${receipt.version}.`,
      ],
      [
        element(
          "span",
          {},
          timeElement(receipt.at, exactTime),
          `, entry ${receipt.sequence} of the ledger. `,
        ),
        last && status === "superseded" ? LAST : (FOLLOWS[status] ?? ""),
        delivery === "pending"
          ? " The team has not been told yet. Your decision stands all the same, and they hear of it within a minute or two."
          : "",
      ],
      within({ operation: receipt.operation_id }, "Watch what happens", { class: "button" }),
      next,
    ),
  );
}

async function nextInInbox(done, signal) {
  const { proposals } = await call("proposals?limit=2", { signal }).catch(() => ({
    proposals: [],
  }));
  const row = proposals.find(({ operation_id: id }) => id !== done);
  if (!row) return within({}, "Back to the inbox: nothing else waits", { class: "button" });
  const target = { operation: row.operation_id, version: row.version };
  const label = element("span", {}, "Next: ", foreign(row.title));
  return within(target, label, { class: "button primary" });
}
