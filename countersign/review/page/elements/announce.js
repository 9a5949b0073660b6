/** Say something to those who read the page by ear, without taking their focus. */

let last = 0;

/** @param {string} text */
export function announce(text) {
  const region = /** @type {HTMLElement} */ (document.getElementById("announcements"));
  const mine = (last += 1);
  // An unchanged region is not read again, so it is emptied first.
  region.textContent = "";
  setTimeout(() => {
    if (mine === last) region.textContent = text;
  }, 60);
}
