/** The proof of an operation: all that was recorded about it, signed, to be checked elsewhere. */

import { element, fill } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { saveFile } from "../elements/save.js";
import { call, operationPath } from "../session/api.js";
import { problemNotice } from "../words/problem-notice.js";

/**
 * @param {string} id
 * @param {AbortSignal} signal
 */
export function proofElement(id, signal) {
  const trouble = element("div");
  const download = button("Download the proof", async () => {
    download.disabled = true;
    fill(trouble);
    try {
      const proof = await call(operationPath(id, "/proof"), { signal, text: true });
      saveFile(`${id}.proof.json`, proof, "application/json");
    } catch (problem) {
      if (!signal.aborted) fill(trouble, problemNotice(problem));
    } finally {
      download.disabled = false;
    }
  });
  return element(
    "section",
    { class: "card proof", "aria-labelledby": "proof-title" },
    element("h2", { id: "proof-title" }, "Proof"),
    element(
      "p",
      { class: "hint" },
      "Versions, decisions, history and receipt in one signed file. ",
      element("code", {}, "python3 dev.py verify FILE --key PUBLIC_KEY"),
      " in a clone of Countersign verifies it without this app.",
    ),
    element("div", { class: "actions" }, download),
    trouble,
  );
}
