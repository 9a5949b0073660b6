/** Look again from time to time, but only while somebody looks at the page. */

const MOST_SECONDS = 60;

/**
 * Call `look` every few seconds, and at once when the tab comes back to the front.
 *
 * A failure is left to the next look, which then comes later: the page goes on showing what it has.
 *
 * @param {() => Promise<unknown>} look
 * @param {{every: () => number, signal: AbortSignal}} options seconds between two looks; 0 rests
 * @returns {{plan: () => void}} for when the seconds may have changed
 */
export function watch(look, { every, signal }) {
  /** @type {number|undefined} */
  let timer;
  let looking = false;
  let failures = 0;

  function plan() {
    clearTimeout(timer);
    const seconds = every();
    if (signal.aborted || !seconds) return;
    timer = setTimeout(again, Math.min(seconds * 2 ** failures, MOST_SECONDS) * 1000);
  }

  async function again() {
    if (looking || signal.aborted || document.hidden) return;
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

  const back = () => document.hidden || again();
  document.addEventListener("visibilitychange", back, { signal });
  addEventListener("focus", back, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  plan();
  return { plan };
}
