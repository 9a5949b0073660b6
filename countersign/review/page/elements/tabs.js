/** Tabs after the ARIA Authoring Practices: arrow keys move, and the panel follows. */

import { element } from "./element.js";

/**
 * @param {string} label what the tabs are about
 * @param {Array<{id: string, label: string|Node, content: Node, note?: string}>} parts
 * @returns {{list: HTMLElement, panels: HTMLElement[], first: string, choose: (id: string) => void}}
 *   `first` is the id of the tab that is shown at first
 */
export function tabs(label, parts) {
  const list = element("div", {
    role: "tablist",
    "aria-label": label,
    class: "tabs",
    keydown: move,
  });
  const panels = parts.map(panel);
  list.append(...parts.map(tab));

  function choose(id, { focus = false } = {}) {
    for (const [place, each] of parts.entries()) {
      const chosen = each.id === id;
      const shown = list.children[place];
      shown.setAttribute("aria-selected", String(chosen));
      shown.tabIndex = chosen ? 0 : -1;
      panels[place].hidden = !chosen;
      if (chosen && focus) shown.focus();
    }
  }

  function move(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const at = [...list.children].indexOf(document.activeElement);
    event.preventDefault();
    choose(parts[(at + step + parts.length) % parts.length].id, { focus: true });
  }

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

  function panel({ id, content }) {
    const attributes = { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` };
    return element("div", { ...attributes, tabindex: 0, class: "panel" }, content);
  }

  const first = parts[0].id;
  choose(first);
  return { list, panels, first, choose };
}
