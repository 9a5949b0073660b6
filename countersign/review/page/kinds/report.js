/** Reports: researched by a team, published once somebody approved the text. */

import { reportDifference } from "../report/changes.js";
import { REPORT_CHANGES } from "../report/choices.js";
import { ReportEditor } from "../report/editor.js";
import { ReportOffer } from "../report/offer.js";
import { publishedElement } from "../report/published.js";
import { reportMaker } from "../report/request.js";
import { register } from "../words/kinds.js";

/**
 * @import { Kind } from "../kind.js"
 * @import { ReportVersion } from "../report/report.js"
 */

/** @type {Kind<ReportVersion>} */
const REPORT = {
  kind: "research",
  name: "Report",
  plural: "Reports",
  noun: "text",
  done: "published",
  worker: "The team",
  team: true,
  topic: "Requested topic",
  title: ({ content }) => content.title,
  roles: {
    "Research.Requester": "requester",
    "Report.Reviewer": "report reviewer",
    "Report.Escalation": "report escalation",
  },
  stages: {
    planning: "planning the subtopics",
    researching: "researching the subtopics",
    checking: "checking the facts against the sources",
    writing: "writing the draft",
    publishing: "publishing the approved version",
  },
  origins: {
    draft: "the team's first draft",
    revision: "revised by the team at a reviewer’s request",
    correction: "a reviewer's own text",
    escalation: "the same text, escalated because nobody decided",
    unchanged: "the same text, because the requested changes could not be made",
  },
  ends: {
    published: "It was approved and written once, and the destination confirmed it.",
    needs_revision:
      "The sources contain too little evidence on this topic. Name it in a few words that the documents use, such as one of their titles, or add documents.",
  },
  request: {
    form: "",
    label: "A report",
    role: "requester",
    draft: "request",
    again: ({ title }) => ({ topic: title }),
    againAfter: { needs_revision: "Go on with documents" },
    maker: reportMaker,
  },
  changes: REPORT_CHANGES,
  offer: (review, changes, signal) => new ReportOffer(review, changes, signal),
  editor: (review, draft, changed, signal) => new ReportEditor(review, draft, changed, signal),
  difference: reportDifference,
  carriedOut: publishedElement,
};

register(REPORT);
