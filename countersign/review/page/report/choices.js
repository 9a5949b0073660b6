/** How a report is changed: by the team, as a reviewer asks, or by a reviewer. */

import { ownerFollows, said } from "../proposal/choices.js";

/** @import { Choice } from "../kind.js" */

/** @type {Record<string, Choice>} */
export const REPORT_CHANGES = {
  revise: {
    decision: "revise",
    label: "Request changes",
    short: "Changes",
    key: "c",
    comment: "What should change?",
    needs: "Describe the changes, or comment on passages: the team receives your words.",
    passages: true,
    act: (version) => `Request changes to version ${version}`,
    before: ({ version, proposal }) =>
      said(
        proposal.last
          ? `Version ${version} is the last one. Requesting changes ends the operation: ${ownerFollows(proposal.kind)}`
          : `The team writes version ${version + 1} from your comment. It gets its own deadline and needs new approvals, not only yours; version ${version} can no longer be approved.`,
      ),
  },
  edit: {
    decision: "revise",
    label: "Edit the text",
    short: "Edit",
    key: "e",
    comment: "Comment (optional): what you changed, and why",
    needs: "",
    act: (version) => `Submit my text as version ${version + 1}`,
    before: ({ version }) =>
      said(
        `Your text becomes version ${version + 1}. Someone else has to approve it before it is published.`,
      ),
  },
};
