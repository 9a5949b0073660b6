/** The browser's own notifications of what comes to wait while nobody looks at the page. */

import { keep, kept } from "../browser/keep.js";
import { element, fill, visible } from "../elements/element.js";
import { settings } from "../elements/shortcuts.js";

/** @import { OperationRow } from "../api.js" */

const WANTED = "notify";

function isAllowed() {
  return "Notification" in globalThis && Notification.permission === "granted";
}

/**
 * Notify the reader, if they want that and the browser allows it, unless they are looking.
 *
 * @param {OperationRow[]} arrived rows that were not there before
 * @param {(row: OperationRow) => unknown} open what a click on the notification does
 */
export function notifyOf(arrived, open) {
  const [first] = arrived;
  if (!first || !kept(WANTED) || !isAllowed() || document.hasFocus()) return;
  const more = arrived.length - 1;
  const body = more ? `and ${more} more wait for your decision` : "waits for your decision";
  // A later one takes the place of an earlier one: the list says all.
  const notification = made(visible(first.title), { body, tag: "countersign" });
  notification?.addEventListener("click", () => {
    focus();
    open(first);
  });
}

/**
 * @param {string} title
 * @param {NotificationOptions} options
 */
function made(title, options) {
  try {
    return new Notification(title, options);
  } catch {
    // Browsers on phones have it all the same, but let only service workers make one.
    return null;
  }
}

function setting() {
  const box = element("input", { type: "checkbox", id: "notify" });
  const refused = element("p", { class: "hint", role: "status" });
  box.checked = Boolean(kept(WANTED)) && isAllowed();
  box.disabled = !("Notification" in globalThis);
  box.addEventListener("change", async () => {
    const granted = box.checked && (await Notification.requestPermission()) === "granted";
    fill(refused, box.checked && !granted && "Your browser does not let this page notify you.");
    box.checked = granted;
    keep(WANTED, granted);
  });
  const says = " Notify me of new proposals while I look at something else";
  const label = element("label", { class: "choice", for: "notify" }, box, says);
  return element("div", {}, label, refused);
}

settings.push(setting);
