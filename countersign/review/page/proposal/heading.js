/** The head of a proposal: where it belongs, and its other versions. */

import { address, element, foreign, icon, within } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { listName } from "../lists/lists.js";
import { kindOf } from "../words/kinds.js";

/**
 * @import { VersionView } from "../api.js"
 * @import { Query } from "../elements/element.js"
 * @import { Review } from "../kind.js"
 */

/**
 * @param {Review} review
 * @param {HTMLElement} facts what to know before reading
 * @param {{list: Query, isPart: boolean}} options the list that it was reached from, and whether it
 *   stands beside that
 */
export function headingElement({ operation, proposal, id, version }, facts, { list, isPart }) {
  const { title: titleOf, topic } = kindOf(proposal.kind);
  const title = titleOf(proposal);
  return element(
    "header",
    { class: "proposal-head" },
    element(
      "p",
      { class: "crumbs" },
      !isPart && wayBack(list, id),
      within({ operation: id, ...list }, "Operation"),
      isPart && within({ operation: id, version, ...list }, "Open on its own page"),
    ),
    element(
      "div",
      { class: "title-line" },
      element(isPart ? "h2" : "h1", { class: "proposal-title" }, foreign(title)),
      versions(id, version, operation.proposal?.version ?? version),
    ),
    topic &&
      title !== operation.title &&
      element("p", { class: "small" }, `${topic}: `, foreign(operation.title)),
    facts,
    proposal.failure && failureElement(proposal),
    proposal.mixed_scripts.length > 0 && mixedElement(proposal),
  );
}

/**
 * Letters that look like others may make one name look like another.
 *
 * @param {VersionView} proposal
 */
function mixedElement({ mixed_scripts: mixed }) {
  const words = mixed.map(({ word, scripts }) =>
    element("li", {}, foreign(word), ` (${scripts.join(" and ")})`),
  );
  return notice(
    "warn",
    "Some words mix letters of different scripts, which can look alike. Check that each is what it seems to be.",
    element("ul", {}, words),
  );
}

/**
 * The link to the list that somebody came from, at the row that they left.
 *
 * @param {Query} list
 * @param {string} id
 */
export function wayBack(list, id) {
  const link = element("a", {}, [icon("back"), list.list ? listName(String(list.list)) : "Inbox"]);
  link.href = backTo(list, id);
  return link;
}

/**
 * @param {Query} list
 * @param {string} id
 */
export function backTo(list, id) {
  return address(list.list ? { ...list, row: id } : {});
}

/**
 * A reviewer's wish that came to nothing: whoever asked looks for what is new here, and why.
 *
 * @param {VersionView} proposal
 */
function failureElement({ failure, version }) {
  return notice(
    "warn",
    "The requested changes could not be made.",
    foreign(failure, "span"),
    ` This is the text of version ${version - 1} again. Approve it, reject it, or request other changes.`,
  );
}

/**
 * @param {string} operation
 * @param {number} shown
 * @param {number} newest
 */
function versions(operation, shown, newest) {
  if (newest === 1) return null;
  const links = Array.from({ length: newest }, (_, place) => {
    const version = place + 1;
    const current = version === shown && "page";
    return within({ operation, version }, `Version ${version}`, { "aria-current": current });
  });
  return element("nav", { class: "versions", "aria-label": "Versions" }, links);
}
