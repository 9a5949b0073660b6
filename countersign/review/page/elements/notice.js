/** A box that says how things stand and what to do next. */

import { element, icon, parts } from "./element.js";

/** @import { Child } from "./element.js" */

/** @typedef {"good"|"wait"|"info"|"warn"|"bad"} NoticeKind */

/** @type {Record<NoticeKind, string>} */
const ICONS = { good: "check", wait: "clock", info: "info", warn: "alert", bad: "alert" };

/**
 * @param {NoticeKind} kind
 * @param {Child} say one sentence
 * @param {...Child} next what follows from it: sentences, links, buttons
 */
export function notice(kind, say, ...next) {
  const words = element("div", {}, element("p", { class: "notice-say" }, say));
  const [actions, sentences] = parted(parts(next));
  if (sentences.length) words.append(element("p", {}, sentences));
  if (actions.length) words.append(element("div", { class: "actions" }, actions));
  return element("div", { class: "notice", "data-kind": kind }, icon(ICONS[kind]), words);
}

/**
 * A field with its label, and what else belongs to it.
 *
 * @param {string} label
 * @param {HTMLElement} control
 * @param {...Child} more
 */
export function field(label, control, ...more) {
  // Whatever is written from right to left is, each paragraph for itself.
  if (!control.dir && control.matches("textarea, input:not([type])")) control.dir = "auto";
  return element(
    "div",
    { class: "field" },
    element("label", { for: control.id }, label),
    control,
    more,
  );
}

/**
 * @param {Child} label
 * @param {(event: MouseEvent) => unknown} click
 */
export function button(label, click, attributes = {}) {
  return element("button", { type: "button", class: "button", click, ...attributes }, label);
}

/** @param {(Node|string)[]} found */
function parted(found) {
  /** @param {Node|string} part */
  const isAction = (part) =>
    part instanceof Element && !["BDI", "SPAN", "TIME"].includes(part.tagName);
  return [found.filter(isAction), found.filter((part) => !isAction(part))];
}
