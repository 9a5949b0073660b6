/** Whether the server answers, by what became of the last calls. */

/** A call that takes longer than this counts as unanswered until its answer comes. */
const SLOW_MILLISECONDS = 8_000;

/** @type {Set<(since: Date|null) => void>} */
const listeners = new Set();
/** @type {Date|null} */
let lostSince = null;

/** @param {(since: Date|null) => void} changed told since when no answer comes, null if they do */
export function onConnection(changed) {
  listeners.add(changed);
}

export function answered() {
  turn(null);
}

export function unanswered() {
  turn(lostSince ?? new Date());
}

/**
 * Wait for an answer, and say so if it takes long.
 *
 * @template Answer
 * @param {Promise<Answer>} answer
 */
export async function waitFor(answer) {
  const timer = setTimeout(unanswered, SLOW_MILLISECONDS);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

/** @param {Date|null} since */
function turn(since) {
  if (since?.getTime() === lostSince?.getTime()) return;
  lostSince = since;
  for (const changed of listeners) changed(since);
}

addEventListener("offline", unanswered);
