/** What the tabs of one browser tell each other. */

/** @typedef {"decided"|"signed-in"|"answered"|"accepted"} Message what happened in one of them */

const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("countersign") : null;

const here = new EventTarget();

/**
 * Tell the other tabs.
 *
 * @param {Message} kind
 * @param {object} [facts]
 */
export function tell(kind, facts = {}) {
  channel?.postMessage({ kind, ...facts });
}

/**
 * Tell the other tabs, and all that listens in this one.
 *
 * @param {Message} kind
 * @param {object} [facts]
 */
export function tellAll(kind, facts = {}) {
  tell(kind, facts);
  here.dispatchEvent(new CustomEvent(kind, { detail: facts }));
}

/**
 * @param {Message} kind
 * @param {(facts: Record<string, string>) => void} heard
 * @param {AbortSignal} signal
 */
export function listen(kind, heard, signal) {
  here.addEventListener(kind, (event) => event instanceof CustomEvent && heard(event.detail), {
    signal,
  });
  /** @param {MessageEvent} event */
  const take = ({ data }) => data?.kind === kind && heard(data);
  channel?.addEventListener("message", take, { signal });
}
