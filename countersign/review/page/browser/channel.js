/** What the tabs of one browser tell each other. */

/** @typedef {"decided"|"signed-in"|"answered"|"accepted"} Message what happened in one of them */

const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("countersign") : null;

/**
 * @param {Message} kind
 * @param {object} [facts]
 */
export function tell(kind, facts = {}) {
  channel?.postMessage({ kind, ...facts });
}

/**
 * @param {Message} kind
 * @param {(facts: Record<string, string>) => void} heard
 * @param {AbortSignal} signal
 */
export function listen(kind, heard, signal) {
  /** @param {MessageEvent} event */
  const take = ({ data }) => data?.kind === kind && heard(data);
  channel?.addEventListener("message", take, { signal });
}
