/** What sets the kinds of operations apart in words; what they look like is in modules of their own. */

import { visible } from "./element.js";
import { ENDS, ORIGINS } from "./words.js";

/**
 * @typedef {object} Kind
 * @property {string} name what one of them is called
 * @property {string} noun what people approve a version of
 * @property {string} done what becomes of an approved version, and the state that this leads to
 * @property {string} worker who works on it between decisions
 * @property {boolean} team whether agents stand behind it, which cost tokens and can be asked
 * @property {RegExp} roles of those who have to do with it
 * @property {(proposal: object) => string} title of a version
 * @property {Record<string, string>} origins where a version comes from, if not as usual
 * @property {Record<string, string>} ends what an end means, if not the usual
 */

/** @type {Record<string, Kind>} */
export const KINDS = {
  research: {
    name: "Report",
    noun: "text",
    done: "published",
    worker: "The team",
    team: true,
    roles: /^(Research|Report)\./,
    title: ({ content }) => content.title,
    origins: {},
    ends: {},
  },
  purchase: {
    name: "Order",
    noun: "order",
    done: "ordered",
    worker: "The app",
    team: false,
    roles: /^Purchase\./,
    title: ({ content, amount }) => `Order from ${content.vendor} for ${amount}`,
    origins: {
      draft: "as it was asked for",
      correction: "corrected by an approver",
      escalation: "the same order, passed on after nobody decided",
    },
    ends: {
      write_unknown:
        "The order was sent, and the purchasing system did not confirm what was approved: it may have been placed. A person has to look there before anybody orders again.",
      failed: "The order could not be placed, or an operator ended it.",
    },
  },
};

/** After these ends nothing was carried out. */
const UNDONE = new Set(["rejected", "expired", "over_budget", "failed"]);

/** The kinds that a person's roles are about; all of them for one who only reads along. */
export function kindsOf({ roles }) {
  const names = Object.keys(KINDS);
  const own = names.filter((name) => roles.some((role) => KINDS[name].roles.test(role)));
  return own.length && !roles.includes("Auditor") ? own : names;
}

/** What an end means, and what can be done about it; empty for a state that is no end. */
export function endInWords(state, kind) {
  const { ends, done } = KINDS[kind];
  const said = ends[state] ?? ENDS[state] ?? "";
  return UNDONE.has(state) ? `${said} Nothing was ${done}.` : said;
}

/** Where a version comes from. */
export function originName(origin, kind) {
  return KINDS[kind].origins[origin] ?? ORIGINS[origin] ?? visible(origin);
}
