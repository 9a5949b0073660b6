/** Words that were typed and not sent, shown where their author may still want them. */

import { element, foreign, visible } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";

/** @import { Child } from "../elements/element.js" */

/**
 * A comment that is kept, to be used here, where that is possible, or to be dropped.
 *
 * @param {string} introduction what it is
 * @param {string} comment
 * @param {{drop: () => void, use?: () => void}} ways what forgets it, and what takes it over
 */
export function leftComment(introduction, comment, { drop, use }) {
  /** @param {() => void} [then] */
  const end = (then) => () => {
    drop();
    offer.remove();
    then?.();
  };
  const offer = notice(
    "info",
    [`${introduction}: “`, foreign(comment), "”"],
    use && button("Use it here", end(use)),
    button("Drop it", end()),
  );
  return offer;
}

/**
 * What the same person typed in another tab, beside what is typed here.
 *
 * @param {string} comment
 * @param {Child} correction
 * @param {{drop: () => void, use: () => void}} ways
 */
export function typedElsewhere(comment, correction, { drop, use }) {
  return notice(
    "info",
    ["Another tab has other text for this version", comment ? [": “", foreign(comment), "”"] : "."],
    correction,
    button("Use it here", use),
    button("Drop it", drop),
  );
}

/**
 * A text that is kept, folded away.
 *
 * @param {string} introduction
 * @param {string} text
 */
export function leftText(introduction, text) {
  const sheet = element("pre", { class: "source-text", dir: "auto", tabindex: 0 }, visible(text));
  return element("details", {}, element("summary", {}, introduction), sheet);
}
