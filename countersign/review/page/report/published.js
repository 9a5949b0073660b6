/** The published report, as it stands at its destination. */

import { element, fill, visible } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { saveFile } from "../elements/save.js";
import { call, operationPath, passed, proposalPath } from "../session/api.js";
import { Problem } from "../session/problem.js";
import { problemNotice } from "../words/problem-notice.js";
import { reportElement } from "./report.js";

/**
 * @import { OperationView } from "../api.js"
 * @import { ReportVersion } from "./report.js"
 */

/**
 * What stands at the destination, shown as it was approved.
 *
 * The API gives the text only if it is still what the receipt says, so a text that was changed at
 * its destination shows up here.
 *
 * @param {OperationView} operation
 * @param {number} version
 * @param {AbortSignal} signal
 */
export async function publishedElement({ operation_id: id }, version, signal) {
  const section = element("section", { class: "card", "aria-labelledby": "published-title" });
  await load(section, id, version, signal);
  return section;
}

/**
 * @param {HTMLElement} section
 * @param {string} id
 * @param {number} version
 * @param {AbortSignal} signal
 */
async function load(section, id, version, signal) {
  const [text, approved] = await Promise.all([
    call(operationPath(id, "/report"), { signal, text: true }).catch(passed),
    call(proposalPath(id, version), { signal }).catch(passed),
  ]);
  const retry = () => load(section, id, version, signal);
  fill(
    section,
    element(
      "div",
      { class: "card-head" },
      element("h2", { id: "published-title" }, "The published report"),
      saving(text, id),
    ),
    text instanceof Problem && problemNotice(text, { retry }),
    shown(text, approved),
  );
}

/**
 * @param {string|Problem} text
 * @param {ReportVersion|Problem} approved
 */
function shown(text, approved) {
  if (!(approved instanceof Problem)) return reportElement(approved);
  // Whoever may not see proposals may see what was published.
  return text instanceof Problem
    ? null
    : element("pre", { class: "source-text", dir: "auto" }, visible(text));
}

/**
 * @param {string|Problem} text
 * @param {string} id
 */
function saving(text, id) {
  if (text instanceof Problem) return null;
  return button("Save as Markdown", () => saveFile(`${id}.md`, text, "text/markdown"));
}
