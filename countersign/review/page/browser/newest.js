/** Reads that overtake each other: only what was asked for last is shown. */

/**
 * Make a read end the one before it.
 *
 * @template {any[]} What
 * @param {AbortSignal} ends ends all of them
 * @param {(signal: AbortSignal, ...what: What) => Promise<void>} read
 * @returns {(...what: What) => Promise<void>} a read that was overtaken ends without a word
 */
export function newest(ends, read) {
  let last = new AbortController();
  return async (...what) => {
    last.abort();
    const mine = new AbortController();
    last = mine;
    try {
      await read(AbortSignal.any([ends, mine.signal]), ...what);
    } catch (problem) {
      if (!mine.signal.aborted) throw problem;
    }
  };
}
