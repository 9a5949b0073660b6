/** Ask for the same once more, with the form filled in, after an end that carried nothing out. */

import { RequestDraft } from "../browser/request-draft.js";
import { address } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { call, proposalPath } from "../session/api.js";
import { kindOf, kindsToAskFor } from "../words/kinds.js";

/**
 * @import { Me, OperationView, VersionView } from "../api.js"
 */

/**
 * @param {OperationView} operation
 * @param {Me} me
 * @param {(target: string) => unknown} go
 * @returns {HTMLElement|null} nothing for who may not ask, or where it was carried out
 */
export function againElement(operation, me, go) {
  const { kind, outcome } = operation;
  const mine = kindsToAskFor(me).find((each) => each.kind === kind);
  if (!outcome || !mine?.request.again || outcome.as === kindOf(kind).done) return null;
  const { form, draft, again, againAfter } = mine.request;
  return button(againAfter?.[outcome.as] ?? "Ask again", async () => {
    new RequestDraft(String(draft), me.id).begin(again(operation, await first(operation)));
    go(address({ new: form }));
  });
}

/**
 * What was proposed first, as far as anything was.
 *
 * @param {OperationView} operation
 * @returns {Promise<VersionView|null>}
 */
function first({ operation_id: id, proposal }) {
  return proposal ? call(proposalPath(id, 1)).catch(() => null) : Promise.resolve(null);
}
