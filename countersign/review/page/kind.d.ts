/**
 * What the page has to know of a kind of operation. A script in `kinds` registers one.
 *
 * Words are for people. `any` stands for what only the kind itself reads.
 */

type Review = import("./proposal/review.js").Review;
type Child = Node | string | null | undefined | false | Child[];

/** The words without which no operation can be told of. */
export interface KindWords {
  /** The API's name of it. */
  kind: string;
  /** What one of them is called, and several. */
  name: string;
  plural: string;
  /** What people approve a version of. */
  noun: string;
  /** What becomes of an approved version, and the state that this leads to. */
  done: string;
  /** Who works on it between decisions. */
  worker: string;
  /** Whether agents stand behind it, which cost tokens. */
  team: boolean;
  /** What a version is called. */
  title(proposal: any): string;
  /** What its operation's title is, where a version has a title of its own. */
  topic?: string;
  /** What a stage is called, after "The team is". */
  stages?: Record<string, string>;
  /** Where a version comes from. */
  origins?: Record<string, string>;
  /** What an end means, where it is not what it usually means. */
  ends?: Record<string, string>;
  /** What to do after an end. */
  afterEnd?(outcome: string, id: string): Child;
  /** The facts of its receipt in their order; otherwise it is told as it is. */
  receipt?: Record<string, { name: string; value?(receipt: any): Child }>;
  /** How a receipt is mentioned in the history. */
  recordedAs?(receipt: any): Child;
  /** The ways to decide besides approving and rejecting; one named "edit" has the editor. */
  changes?: Record<string, Choice>;
  /** What shows a version. */
  offer?(review: Review, changes: Tab | null, signal: AbortSignal): Offer;
  /** What a correction is made in. */
  editor?(review: Review, draft: any, changed: (typed: any) => void): Editor;
  /** What changed between two versions. */
  difference?(changes: any, content: any): Child;
  /** What was carried out, as it stands at its destination. */
  carriedOut?(operation: any, version: number, signal: AbortSignal): Promise<Node | null>;
}

export interface Kind extends KindWords {
  /** Those who have to do with it, by the roles that the API knows. */
  roles: Record<string, string>;
  request: RequestKind;
}

/** How it is asked for. */
export interface RequestKind {
  /** What the page's address says for it after `new`. */
  form: string;
  label: string;
  /** The name, in `may` of the person, of being allowed to ask for it; and the role that it takes. */
  may: string;
  role: string;
  maker(signal: AbortSignal): Promise<(changed: () => void) => RequestFields>;
}

/** The fields of a request, between the head and the foot of its form. */
export interface RequestFields {
  /** Where the API takes it. */
  path: string;
  /** What its draft is kept as. */
  draft: string;
  send: string;
  lead: string;
  elements: Child;
  /** What the fields hold. */
  typed: any;
  /** Say at the fields what is wrong with them, and whether anything is. */
  check(): boolean;
  /** The field by the API's name of it. */
  fieldOf(name: string): { blame(reason: string): void } | null | undefined;
  /** What the API is told. */
  body: object;
}

/** A version with what is shown beside it. */
export interface Offer {
  text: ReturnType<typeof import("./elements/tabs.js").tabs>;
  beside: HTMLElement;
  shortcuts: Record<string, () => void>;
  /** The name and the content of the fact that only operations of its kind have. */
  fact(review: Review): [string, Child] | null;
  update(review: Review): void;
}

export interface Tab {
  id: string;
  label: string | Node;
  content: Node;
  note?: string;
}

/** A version as a reviewer would have it. */
export interface Editor {
  element: HTMLElement;
  open: boolean;
  isChanged: boolean;
  /** What is wrong with it; empty if nothing is. */
  fault: string;
  /** What the API is told. */
  correction: object;
  /** Say at each field what the API could not take, and return what has no field. */
  blame(reasons: Record<string, string>): Record<string, string>;
  /** What was typed and not sent. */
  leftOver(draft: any): Child;
  focus(): void;
}

/** A way to decide. */
export interface Choice {
  decision: "approve" | "revise" | "reject";
  /** The button that leads to it, the same where there is little room, and its shortcut. */
  label: string;
  short: string;
  key: string;
  /** What the comment is for, and what to say if it is missing; empty where it may be. */
  comment: string;
  needs: string;
  /** What sends it. */
  act(version: number): string;
  /** What to know before sending it. */
  before(review: Review): Node;
}
