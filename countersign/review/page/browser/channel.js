/** What the tabs of one browser tell each other. */

const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("countersign") : null;

/** @param {"decided"|"signed-in"|"answered"|"accepted"} kind */
export function tell(kind, facts = {}) {
  channel?.postMessage({ kind, ...facts });
}

export function listen(kind, heard, signal) {
  const take = ({ data }) => data?.kind === kind && heard(data);
  channel?.addEventListener("message", take, { signal });
}
