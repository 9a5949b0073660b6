/** How a report is changed: by the team, as a reviewer asks, or by a reviewer. */

import { ownerFollows, said } from "../proposal/choices.js";

/** @import { Choice } from "../kind.js" */

/** @type {Record<string, Choice>} */
export const REPORT_CHANGES = {
  revise: {
    decision: "revise",
    label: "Ask for changes",
    short: "Changes",
    key: "c",
    comment: "What should change?",
    needs: "Say what should change: whoever goes on with it gets these words.",
    act: () => "Send it back",
    before: ({ version, proposal }) =>
      said(
        proposal.last
          ? `Version ${version} is the last one that there can be. Sending it back ends the operation: ${ownerFollows(proposal.kind)}`
          : `The team writes version ${version + 1} from your words. It gets a deadline of its own and has to be approved anew; version ${version} can't be approved any more.`,
      ),
  },
  edit: {
    decision: "revise",
    label: "Edit the text",
    short: "Edit",
    key: "e",
    comment: "Comment (optional; what you changed, and why)",
    needs: "",
    act: (version) => `Offer my text as version ${version + 1}`,
    before: ({ version }) =>
      said(
        `Your text becomes version ${version + 1}. Someone else has to approve it: nobody is the only one to approve their own correction. It is published only then.`,
      ),
  },
};
