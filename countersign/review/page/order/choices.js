/** How an order is changed: whoever wants a change makes it, as nobody else stands behind it. */

import { said } from "../proposal/choices.js";

/** @import { Choice } from "../kind.js" */

/** @type {Record<string, Choice>} */
export const ORDER_CHANGES = {
  edit: {
    decision: "revise",
    label: "Correct the order",
    short: "Correct",
    key: "e",
    comment: "Comment (optional): what you changed, and why",
    needs: "",
    act: (version) => `Submit as version ${version + 1}`,
    before: ({ version }) =>
      said(
        `Your correction becomes version ${version + 1}, with its own deadline. It needs new approvals, and version ${version} can no longer be approved. If you increase a quantity or price, or change the vendor or destination, someone else has to approve it too.`,
      ),
  },
};
