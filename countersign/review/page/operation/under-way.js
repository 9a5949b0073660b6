/** What the team is at right now, step by step. */

import { duration, now } from "../browser/time.js";
import { count, element, foreign, visible } from "../elements/element.js";

/**
 * @import { StepView } from "../api.js"
 * @import { Child } from "../elements/element.js"
 */

/** @type {Record<string, (step: StepView) => Child>} */
const DOING = {
  plan: () => "Planning the subtopics",
  research: ({ subtopic }) => ["Researching ", subtopic ? foreign(subtopic) : "a subtopic"],
  check: () => "Checking the facts",
  draft: () => "Writing",
  open: () => "Opening the version",
  question: () => "Answering a question",
};

/**
 * @param {StepView[]} steps as the API shows what is under way
 * @returns {HTMLElement|null} nothing where nobody is known to be at anything
 */
export function underWayElement(steps = []) {
  if (!steps.length) return null;
  return element(
    "ul",
    { class: "under-way", "aria-label": "Under way" },
    steps.map((step) => element("li", {}, stepWords(step))),
  );
}

/** @param {StepView} step */
function stepWords(step) {
  const [name] = step.step.split(":");
  const doing = Object.hasOwn(DOING, name) ? DOING[name](step) : `At “${visible(step.step)}”`;
  const tokens = step.tokens ? `, ${count(step.tokens, "token")} of the answer so far` : "";
  const silent = Math.max(0, now() - Date.parse(step.seen_at));
  const seen = silent < 1000 ? "just now" : `${duration(silent)} ago`;
  return [doing, tokens, element("span", { class: "hint" }, ` · last sign of life ${seen}`)];
}
