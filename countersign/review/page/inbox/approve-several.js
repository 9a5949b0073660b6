/**
 * Several versions approved with one signature.
 *
 * Each is read anew before it is signed, and sent with a digest of its own. What can't be approved
 * any more is told apart, and so is what the API refuses.
 */

import { tell as tellTabs } from "../browser/channel.js";
import { announce } from "../elements/announce.js";
import { count, element, fill, foreign, visible, within } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { counted, grouped, MOST_DECIMALS, written } from "../order/money.js";
import { consequenceOf } from "../proposal/consequence.js";
import { held, leavesBehind, tell } from "../proposal/outbox.js";
import { sendVerdict } from "../proposal/verdict.js";
import { call, proposalPath } from "../session/api.js";
import { Problem } from "../session/problem.js";

/**
 * @import { Me, OperationRow, VersionView } from "../api.js"
 */

/** @typedef {{row: OperationRow, proposal: VersionView|null, reason: string, follows?: string}} Read */

const SIDE_BY_SIDE = 6;
const SIGNED_ALONE = "It has to be signed with your passkey: open it and approve it there.";

/**
 * Show what would be approved, and approve it once it is signed.
 *
 * @param {OperationRow[]} rows
 * @param {Me} me
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} whether anything was sent
 */
export async function approveSeveral(rows, me, signal) {
  const read = await readAll(rows, me, signal);
  const signed = read.filter(({ reason }) => !reason);
  if (!(await isSigned(read, signed, me))) return false;
  const label = `“Approve ${count(signed.length, "version")}”`;
  if (!(await held(label, { until: signed.map(({ row }) => row.expires_at ?? "").sort()[0] })))
    return false;
  await sendAll(signed, me);
  return true;
}

/**
 * @param {OperationRow[]} rows
 * @param {Me} me
 * @param {AbortSignal} signal
 */
async function readAll(rows, me, signal) {
  /** @type {Read[]} */
  const read = [];
  for (let start = 0; start < rows.length; start += SIDE_BY_SIDE) {
    const some = rows.slice(start, start + SIDE_BY_SIDE);
    read.push(...(await Promise.all(some.map((row) => readOne(row, me, signal)))));
  }
  return read;
}

/**
 * @param {OperationRow} row
 * @param {Me} me
 * @param {AbortSignal} signal
 * @returns {Promise<Read>}
 */
async function readOne(row, me, signal) {
  try {
    const path = proposalPath(row.operation_id, row.version ?? 1);
    const proposal = await call(path, { signal });
    const may = proposal.may.decide.approve;
    if (may !== true) return { row, proposal, reason: may.detail };
    if (proposal.may.passkey_required) return { row, proposal, reason: SIGNED_ALONE };
    const follows = await consequenceOf(row.operation_id, proposal, me, signal);
    return { row, proposal, reason: "", follows };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return { row, proposal: null, reason: problem.message || "It cannot be read." };
  }
}

/**
 * @param {Read[]} read
 * @param {Read[]} signed
 * @param {Me} me
 * @returns {Promise<boolean>}
 */
function isSigned(read, signed, me) {
  const dialog = element("dialog", { class: "several", "aria-labelledby": "several-title" });
  const left = read.filter(({ reason }) => reason);
  return new Promise((resolve) => {
    const sign = () => {
      resolve(true);
      dialog.close();
    };
    const versions = count(signed.length, "version");
    fill(
      dialog,
      element("h2", { id: "several-title" }, `Approve ${versions}`),
      signed.length > 0 && versionList(signed),
      totals(signed),
      left.length > 0 && leftOut(left),
      signed.length > 0 && signature(signed, me),
      element(
        "div",
        { class: "actions" },
        signed.length > 0 &&
          button(`Sign and approve ${versions}`, sign, { class: "button primary approve" }),
        button(signed.length ? "Cancel" : "Close", () => dialog.close()),
      ),
    );
    dialog.addEventListener("close", () => {
      resolve(false);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Each version, with what follows from its approval where that is not the same for all.
 *
 * @param {Read[]} signed
 */
function versionList(signed) {
  const differ = consequencesOf(signed).length > 1;
  const items = signed.map((read) => versionElement(read, differ ? read.follows : ""));
  return element("ol", {}, items);
}

/** @param {Read[]} signed */
function consequencesOf(signed) {
  return [...new Set(signed.map(({ follows }) => follows ?? ""))];
}

/**
 * @param {Read} read
 * @param {string} [follows]
 */
function versionElement({ row, proposal }, follows) {
  return element(
    "li",
    {},
    element("span", { class: "several-title" }, foreign(row.title), ` · version ${row.version}`),
    element(
      "span",
      { class: "several-amount" },
      row.amount && visible(proposal?.amount ?? row.amount),
    ),
    follows && element("p", { class: "hint" }, visible(follows)),
  );
}

/** @param {Read[]} left */
function leftOut(left) {
  const items = left.map(({ row, reason }) =>
    element("li", {}, foreign(row.title), ` · version ${row.version}: `, visible(reason)),
  );
  return notice(
    "warn",
    "Not among them, because it cannot be approved now:",
    element("ul", {}, items),
  );
}

/**
 * @param {Read[]} signed
 * @param {Me} me
 */
function signature(signed, me) {
  const consequences = consequencesOf(signed);
  const those = signed.length === 1 ? "this version" : `these ${signed.length} versions`;
  return element(
    "div",
    { class: "signature" },
    element("p", {}, "I, ", foreign(me.name, "strong"), `, approve ${those}.`),
    consequences.length === 1 && element("p", {}, visible(consequences[0])),
  );
}

/**
 * What all of it costs, by currency; nothing where nothing has a price.
 *
 * @param {Read[]} signed
 */
function totals(signed) {
  /** @type {Map<string, {sum: bigint, decimals: number}>} */
  const sums = new Map();
  for (const { proposal } of signed) {
    const [amount, currency] = proposal?.amount?.split(" ") ?? [];
    const plain = amount?.replaceAll(",", "") ?? "";
    const before = sums.get(currency) ?? { sum: 0n, decimals: 0 };
    const decimals = Math.max(before.decimals, plain.split(".")[1]?.length ?? 0);
    if (currency) sums.set(currency, { sum: before.sum + (counted(plain) ?? 0n), decimals });
  }
  const said = [...sums].map(([currency, { sum, decimals }]) =>
    element(
      "strong",
      {},
      `${grouped(written(sum, Math.min(decimals, MOST_DECIMALS)))} ${currency}`,
    ),
  );
  return said.length > 0 && element("p", { class: "several-total" }, "Total: ", said);
}

/**
 * One request for each, with its own digest; one that fails keeps none of the others back.
 *
 * @param {Read[]} signed
 * @param {Me} me
 */
async function sendAll(signed, me) {
  const refused = [];
  const leaves = leavesBehind(signed.map(({ row }) => `“${row.title}”, version ${row.version}`));
  for (const [place, { row, proposal }] of signed.entries()) {
    tell(notice("wait", `Sending ${place + 1} of ${signed.length}…`));
    try {
      const review = { id: row.operation_id, version: row.version ?? 1, me };
      const body = { decision: "approve", digest: proposal?.digest ?? "", comment: "" };
      // Only these parts of a review are looked at.
      await sendVerdict(/** @type {any} */ (review), /** @type {any} */ (body));
      tellTabs("decided", { operation: row.operation_id });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      refused.push({ row, problem });
    }
    leaves.shift();
  }
  report(signed.length - refused.length, refused);
}

/**
 * @param {number} recorded
 * @param {{row: OperationRow, problem: Problem}[]} refused
 */
function report(recorded, refused) {
  const said = `Recorded: you approved ${count(recorded, "version")}.`;
  announce(said);
  const items = refused.map(({ row, problem }) => {
    const target = { operation: row.operation_id, version: row.version ?? 1 };
    return element("li", {}, within(target, foreign(row.title)), ": ", visible(problem.message));
  });
  tell([
    recorded > 0 && notice("good", said),
    items.length > 0 && notice("warn", "Not recorded:", element("ul", {}, items)),
  ]);
}
