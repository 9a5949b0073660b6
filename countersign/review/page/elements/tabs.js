/** Tabs after the ARIA Authoring Practices: arrow keys move, and the panel follows. */

import { element } from "./element.js";

/** @import { Tab } from "../kind.js" */

const STEPS = new Map([
  ["ArrowLeft", -1],
  ["ArrowRight", 1],
]);

/**
 * @typedef {object} Tabs
 * @property {HTMLElement} list
 * @property {HTMLElement[]} panels
 * @property {string} first the id of the tab that is shown at first
 * @property {(id: string, options?: {focus?: boolean}) => void} choose
 */

/**
 * @param {string} label what the tabs are about
 * @param {Tab[]} parts
 * @returns {Tabs}
 */
export function tabs(label, parts) {
  const attributes = { role: "tablist", "aria-label": label, class: "tabs" };
  const list = element("div", { ...attributes, keydown: move });
  const buttons = parts.map(tab);
  const panels = parts.map(panel);
  list.append(...buttons);

  /** @type {Tabs["choose"]} */
  function choose(id, { focus = false } = {}) {
    for (const [place, each] of parts.entries()) {
      const chosen = each.id === id;
      const shown = buttons[place];
      shown.setAttribute("aria-selected", String(chosen));
      shown.tabIndex = chosen ? 0 : -1;
      panels[place].hidden = !chosen;
      if (chosen && focus) shown.focus();
    }
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    const step = STEPS.get(event.key);
    if (!step) return;
    const at = buttons.findIndex((each) => each === document.activeElement);
    event.preventDefault();
    choose(parts[(at + step + parts.length) % parts.length].id, { focus: true });
  }

  /** @param {Tab} part */
  function tab({ id, label: words, note }) {
    const attributes = {
      role: "tab",
      id: `tab-${id}`,
      "aria-controls": `panel-${id}`,
      type: "button",
    };
    const more = note && element("span", { class: "tab-note" }, note);
    return element("button", { ...attributes, click: () => choose(id) }, words, more);
  }

  /** @param {Tab} part */
  function panel({ id, content }) {
    const attributes = { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` };
    return element("div", { ...attributes, tabindex: 0, class: "panel" }, content);
  }

  const first = parts[0].id;
  choose(first);
  return { list, panels, first, choose };
}
