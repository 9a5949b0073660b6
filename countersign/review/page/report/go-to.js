/** Scroll to a place of a report, of which a long one is laid out only as it comes near. */

const TRIES = 5;

/**
 * Chapters that are laid out on the way move what is below them, so it takes more than once.
 *
 * @param {Element|null|undefined} target
 * @param {ScrollLogicalPosition} block where it is to stand in the window
 */
export function goTo(target, block, tries = TRIES) {
  requestAnimationFrame(() => {
    target?.scrollIntoView({ block, behavior: "instant" });
    if (tries > 1) goTo(target, block, tries - 1);
  });
}
