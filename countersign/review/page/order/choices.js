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
    comment: "Comment (optional; what you changed, and why)",
    needs: "",
    act: (version) => `Send it back as version ${version + 1}`,
    before: ({ version }) =>
      said(
        `Your correction becomes version ${version + 1}, with a deadline of its own. It has to be approved anew; version ${version} can't be approved any more. Where you ask for more of something, a higher price, another vendor or another destination, somebody other than you has to approve it too.`,
      ),
  },
};
