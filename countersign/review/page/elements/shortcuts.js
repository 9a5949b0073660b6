/**
 * Single-key shortcuts, none of which decides anything.
 *
 * They can be switched off (WCAG 2.2, 2.1.4), because speech input types single keys by accident.
 */

import { keep, kept } from "../browser/keep.js";
import { element, fill } from "./element.js";
import { button } from "./notice.js";

/** @import { Child } from "./element.js" */

/**
 * What else can be set where the keys are told.
 *
 * @type {(() => Child)[]}
 */
export const settings = [];

const OFF = "shortcuts-off";

const HELP = [
  ["j / k", "Next or previous claim or row"],
  ["Enter", "Open the selected claim or row"],
  ["d", "Switch between the proposal and its changes"],
  ["a", "Go to “Approve”"],
  ["c", "Go to “Request changes”"],
  ["e", "Go to “Edit the text” or “Correct the order”"],
  ["r", "Go to “Reject”"],
  ["m", "Comment on the selected words of a report"],
  ["q", "Ask the fact-checker"],
  ["z", "Undo a decision that is about to be sent"],
  ["x", "Select the row, to approve several at once"],
  ["i", "Open the inbox"],
  ["?", "Show this list"],
];

/** @type {Record<string, () => unknown>} */
let keys = {};

/**
 * What keys do in every view.
 *
 * @type {Record<string, () => unknown>}
 */
export const everywhere = {};

/**
 * Let keys do something while a view is shown.
 *
 * @param {Record<string, () => unknown>} actions
 * @param {AbortSignal} signal
 */
export function useShortcuts(actions, signal) {
  keys = actions;
  signal.addEventListener("abort", () => {
    if (keys === actions) keys = {};
  });
}

/**
 * Move the focus among elements, for j and k.
 *
 * @param {string} selector
 * @param {number} step
 */
export function stepThrough(selector, step) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll(selector);
  const all = [...found].filter((each) => each.checkVisibility());
  const at = all.findIndex((each) => each === document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step;
  const target = all[Math.max(0, Math.min(next, all.length - 1))];
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
}

export function openHelp() {
  const dialog = element("dialog", { class: "help", "aria-labelledby": "help-title" });
  const on = element("input", { type: "checkbox", id: "shortcuts-on" });
  on.checked = !kept(OFF);
  on.addEventListener("change", () => keep(OFF, !on.checked));
  const rows = HELP.map(([key, does]) => [
    element("dt", {}, element("kbd", {}, key)),
    element("dd", {}, does),
  ]);
  fill(
    dialog,
    element("h2", { id: "help-title" }, "Keyboard shortcuts"),
    element("dl", { class: "keys" }, rows),
    element(
      "p",
      { class: "hint" },
      "No key decides anything: it takes you to a choice, which you confirm.",
    ),
    element(
      "p",
      {},
      on,
      " ",
      element("label", { for: "shortcuts-on" }, "Use single-key shortcuts"),
    ),
    settings.map((setting) => setting()),
    button("Close", () => dialog.close(), { class: "button primary" }),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || kept(OFF)) return;
  if (document.querySelector("dialog[open]")) return;
  const action = event.key === "?" ? openHelp : (keys[event.key] ?? everywhere[event.key]);
  if (!action) return;
  event.preventDefault();
  action();
});

/** @param {EventTarget|null} target */
function isTyping(target) {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}
