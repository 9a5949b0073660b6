/** Look again from time to time; while nobody looks at the page, seldom or not at all. */

const MOST_SECONDS = 60;

/**
 * Call `look` every few seconds, and at once when the tab comes back to the front.
 *
 * A failure is left to the next look, which then comes later: the page goes on showing what it has.
 *
 * @param {() => Promise<unknown>} look
 * @param {{every: () => number, signal: AbortSignal, hidden?: number}} options seconds between two
 *   looks, also while the tab is hidden; 0 rests
 * @returns {{plan: () => void}} for when the seconds may have changed
 */
export function watch(look, { every, signal, hidden = 0 }) {
  /** @type {number|undefined} */
  let timer;
  let looking = false;
  let failures = 0;

  function plan() {
    clearTimeout(timer);
    const seconds = document.hidden ? hidden : every();
    if (signal.aborted || !seconds) return;
    timer = setTimeout(again, Math.min(seconds * 2 ** failures, MOST_SECONDS) * 1000);
  }

  async function again() {
    if (looking || signal.aborted) return;
    looking = true;
    try {
      await look();
      failures = 0;
    } catch {
      failures = Math.min(failures + 1, 6);
    }
    looking = false;
    plan();
  }

  const back = () => (document.hidden ? plan() : again());
  document.addEventListener("visibilitychange", back, { signal });
  addEventListener("focus", back, { signal });
  addEventListener("online", back, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  plan();
  return { plan };
}
