/** What the page and its views hand to each other. */

import type { Me } from "./api.js";
import type { Child } from "./elements/element.js";

/** What a view is made for. */
export interface Visit {
  /** What the page's address says after the question mark. */
  query: URLSearchParams;
  me: Me;
  /** Ends with the view. */
  signal: AbortSignal;
  /** Go to another address of the page. */
  go(target: string): Promise<void>;
  /** Say in the address what the view shows now, without showing it anew. */
  rename(target: string): void;
}

export interface View {
  title: string;
  content: Child;
  /** What style sheets know it by. */
  name?: string;
  /** Which of the main links leads here. */
  place?: "inbox" | "new";
}
