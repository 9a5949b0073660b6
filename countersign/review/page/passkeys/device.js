/** What the browser and a person's device do with passkeys (WebAuthn), and why they may not. */

import { Problem } from "../session/problem.js";

/** @import { ChallengeView, NewPasskeyBody, NewPasskeyOptions, PasskeySignatureBody } from "../api.js" */

const TIMEOUT_MILLISECONDS = 120_000;
/** Whoever asks is told of a timeout a little before or after it. */
const NEARLY = 0.95;

/**
 * Have the device make a passkey.
 *
 * @param {NewPasskeyOptions} options
 * @param {string} label
 * @returns {Promise<NewPasskeyBody>} what the API takes
 * @throws {Problem} there is none
 */
export async function makePasskey(options, label) {
  const made = await asked(options, () =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: options.domain, name: "Countersign" },
        user: { id: bytes(options.user), name: options.name, displayName: options.name },
        challenge: bytes(options.challenge),
        pubKeyCredParams: options.algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: options.existing.map(descriptor),
        authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
        attestation: "none",
        timeout: TIMEOUT_MILLISECONDS,
      },
    }),
  );
  const answer = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return {
    label,
    id: text(made.rawId),
    client_data: text(answer.clientDataJSON),
    attestation: text(answer.attestationObject),
  };
}

/**
 * Have a passkey sign.
 *
 * @param {ChallengeView} challenge
 * @returns {Promise<PasskeySignatureBody>} what goes with the approval
 * @throws {Problem} nothing was signed
 */
export async function signWithPasskey(challenge) {
  const made = await asked(challenge, () =>
    navigator.credentials.get({
      publicKey: {
        rpId: challenge.domain,
        challenge: bytes(challenge.challenge),
        allowCredentials: challenge.passkeys.map(descriptor),
        userVerification: "required",
        timeout: TIMEOUT_MILLISECONDS,
      },
    }),
  );
  const answer = /** @type {AuthenticatorAssertionResponse} */ (made.response);
  return {
    id: text(made.rawId),
    client_data: text(answer.clientDataJSON),
    authenticator_data: text(answer.authenticatorData),
    signature: text(answer.signature),
    after: challenge.after,
  };
}

/**
 * @param {{origin: string}} wanted where it has to be
 * @param {() => Promise<Credential|null>} ask
 * @returns {Promise<PublicKeyCredential>}
 */
async function asked({ origin }, ask) {
  if (location.origin !== origin) throw failed("passkey_elsewhere", { origin });
  if (!("PublicKeyCredential" in window)) throw failed("passkey_missing");
  const begun = performance.now();
  try {
    const made = await ask();
    if (made instanceof PublicKeyCredential) return made;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    const late = performance.now() - begun > TIMEOUT_MILLISECONDS * NEARLY;
    throw failed(reason(error.name, late));
  }
  throw failed("passkey_missing");
}

/**
 * Browsers tell a refusal, a passkey that is not there and a timeout apart for nobody.
 *
 * @param {string} name of what the browser raised
 * @param {boolean} late
 */
function reason(name, late) {
  if (name === "InvalidStateError") return "passkey_known";
  if (name === "NotSupportedError" || name === "ConstraintError") return "passkey_missing";
  return late ? "passkey_late" : "passkey_unused";
}

/**
 * @param {string} code
 * @param {Record<string, string>} [facts]
 */
function failed(code, facts = {}) {
  return new Problem(0, code, "", facts);
}

/**
 * @param {string} id
 * @returns {PublicKeyCredentialDescriptor}
 */
function descriptor(id) {
  return { type: "public-key", id: bytes(id) };
}

/**
 * @param {string} base64url
 * @returns {Uint8Array<ArrayBuffer>}
 */
function bytes(base64url) {
  const plain = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** @param {ArrayBuffer} buffer */
function text(buffer) {
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
