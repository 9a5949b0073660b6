/** The editor's library, which is loaded when somebody begins to write and not before. */

/** @typedef {typeof import("../library/prosemirror.js")} Library */

/** @type {Promise<Library>|undefined} */
let asked;

/** @returns {Promise<Library>} */
export function loadLibrary() {
  // The address is the page's: the joined script has no place among the modules.
  const { href } = new URL("review/library/prosemirror.js", document.baseURI);
  asked ??= import(href).catch((problem) => {
    asked = undefined;
    throw problem;
  });
  return asked;
}
