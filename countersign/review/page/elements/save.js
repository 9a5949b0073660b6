/** Hand a text to the browser, to be saved as a file. */

import { element } from "./element.js";

/**
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function saveFile(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { download: name });
  link.href = url;
  link.click();
  URL.revokeObjectURL(url);
}
