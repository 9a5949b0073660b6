/** Live countdowns to deadlines. */

import { duration, now } from "../browser/time.js";
import { element, icon } from "./element.js";

const SOON = 4 * 3_600_000;
const URGENT = 3_600_000;

/**
 * "2 h 10 min left", kept up to date while it is on the page.
 *
 * It is no live region: a clock that speaks every second helps nobody.
 *
 * @param {string} deadline
 * @param {{signal: AbortSignal, ended?: () => void}} options `ended` is called once, at the deadline
 */
export function countdown(deadline, { signal, ended }) {
  const words = element("span");
  const shown = element("span", { class: "countdown" }, icon("clock"), words);
  const at = Date.parse(deadline);
  const timer = setInterval(tick, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));

  function tick() {
    const left = at - now();
    shown.dataset.urgency = urgency(left);
    const said = left > 0 ? `${duration(left)} left` : "time is up";
    if (words.textContent !== said) words.textContent = said;
    if (left > 0) return;
    clearInterval(timer);
    ended?.();
  }

  tick();
  return shown;
}

/**
 * How soon a deadline is: "over", "urgent" (within an hour), "soon" (within four) or "calm".
 *
 * @param {number} left
 */
function urgency(left) {
  if (left <= 0) return "over";
  if (left <= URGENT) return "urgent";
  return left <= SOON ? "soon" : "calm";
}
