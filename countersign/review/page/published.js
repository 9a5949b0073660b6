/** The published report and the receipt for it. */

import { call, operationPath, Problem, proposalPath } from "./api.js";
import { element, external, fill, foreign, isWeb, visible } from "./element.js";
import { button } from "./notice.js";
import { problemNotice } from "./problem.js";
import { reportElement } from "./report.js";
import { exactTime, timeElement } from "./time.js";
import { spelled } from "./words.js";

/**
 * What stands at the destination, shown as it was approved.
 *
 * The API gives the text only if it is still what the receipt says, so a text that was changed at
 * its destination shows up here.
 */
export async function publishedElement(operation, signal) {
  const section = element("section", { class: "card", "aria-labelledby": "published-title" });
  await load(section, operation, signal);
  return section;
}

async function load(section, operation, signal) {
  const { operation_id: id, proposal } = operation;
  const [text, approved] = await Promise.all([
    call(operationPath(id, "/report"), { signal, text: true }).catch(passed),
    call(proposalPath(id, proposal.version), { signal }).catch(passed),
  ]);
  const retry = () => load(section, operation, signal);
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

export function receiptElement(receipt) {
  const rows = Object.entries(receipt).map(([name, value]) => [
    element("dt", {}, spelled(name)),
    element("dd", {}, valueElement(name, value)),
  ]);
  return element(
    "section",
    { class: "card", "aria-labelledby": "receipt-title" },
    element("h2", { id: "receipt-title" }, "Receipt of the destination"),
    element("dl", { class: "receipt-facts" }, rows),
  );
}

function shown(text, approved) {
  if (!(approved instanceof Problem)) return reportElement(approved);
  // Whoever may not see proposals may see what was published.
  return text instanceof Problem
    ? null
    : element("pre", { class: "source-text", dir: "auto" }, visible(text));
}

function saving(text, id) {
  if (text instanceof Problem) return null;
  return button("Save as Markdown", () => {
    const url = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
    const link = element("a", { download: `${id}.md` });
    link.href = url;
    link.click();
    URL.revokeObjectURL(url);
  });
}

function valueElement(name, value) {
  if (name.endsWith("_at")) return timeElement(value, exactTime);
  if (name === "size") return `${value.toLocaleString("en")} bytes`;
  if (isWeb(value)) return external(value);
  return foreign(value, name.startsWith("sha") ? "code" : "bdi");
}

function passed(problem) {
  if (problem instanceof Problem) return problem;
  throw problem;
}
