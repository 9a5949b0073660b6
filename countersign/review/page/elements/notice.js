/** A box that says how things stand and what to do next. */

import { element, icon } from "./element.js";

const ICONS = { good: "check", wait: "clock", info: "info", warn: "alert", bad: "alert" };

/**
 * @param {"good"|"wait"|"info"|"warn"|"bad"} kind
 * @param {Array|string} say one sentence
 * @param {...(Node|string|Array)} next what follows from it: sentences, links, buttons
 */
export function notice(kind, say, ...next) {
  const words = element("div", {}, element("p", { class: "notice-say" }, say));
  const [actions, sentences] = parted(next.flat(Infinity).filter(Boolean));
  if (sentences.length) words.append(element("p", {}, sentences));
  if (actions.length) words.append(element("div", { class: "actions" }, actions));
  return element("div", { class: "notice", "data-kind": kind }, icon(ICONS[kind]), words);
}

/** A field with its label, and what else belongs to it. */
export function field(label, control, ...more) {
  return element(
    "div",
    { class: "field" },
    element("label", { for: control.id }, label),
    control,
    more,
  );
}

export function button(label, click, attributes = {}) {
  return element("button", { type: "button", class: "button", click, ...attributes }, label);
}

function parted(parts) {
  const isAction = (part) =>
    part instanceof Element && !["BDI", "SPAN", "TIME"].includes(part.tagName);
  return [parts.filter(isAction), parts.filter((part) => !isAction(part))];
}
