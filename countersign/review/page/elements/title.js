/** What the tab is called. */

import { visible } from "./element.js";

/** @param {string} title */
export function nameTab(title) {
  document.title = `${visible(title)} · Countersign`;
}
