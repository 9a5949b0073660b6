/** What the page has to know of a kind of operation. A script in `kinds` registers one. */

import type {
  DecisionReceipt,
  History,
  LimitsView,
  Me,
  OperationView,
  OrderChanges,
  OtherChanges,
  ReceiptView,
  RecordedEvent,
  ReportChanges,
  VersionView,
} from "./api.js";
import type { Child } from "./elements/element.js";
import type { tabs } from "./elements/tabs.js";

// biome-ignore lint/suspicious/noExplicitAny: only the form that made it reads it
export type Typed = any;

// biome-ignore lint/suspicious/noExplicitAny: each kind has versions of its own, which it alone reads
export type AnyKind = Kind<any>;

/** A row of the ledger. */
export type LedgerEvent = Omit<RecordedEvent, "data"> & {
  // biome-ignore lint/suspicious/noExplicitAny: what it holds depends on the type of the event
  data: Record<string, any>;
};
export type Ledger = Omit<History, "events"> & { events: LedgerEvent[] };

export type State = OperationView["state"];
export type Status = VersionView["status"];
export type Decision = DecisionReceipt["decision"];

/** What changed between two versions. */
export type Changes = ReportChanges | OrderChanges | OtherChanges;

/** All that is known about one version while somebody reviews it. */
export interface Review<V extends VersionView = VersionView> {
  /** The operation's. */
  id: string;
  version: number;
  me: Me;
  operation: OperationView;
  /** The version with its content, evidence and changes. */
  proposal: V;
  /** The operation's history. */
  events: LedgerEvent[];
  /** The version that this person saw before this one. */
  seen: number | null;
  limits: LimitsView;
}

/** The words without which no operation can be told of, and what only some kinds have. */
export interface KindWords<V extends VersionView = VersionView> {
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
  /** The picture of `index.html` that stands for it in lists. */
  icon?: string;
  /** Whether agents stand behind it, which cost tokens. */
  team: boolean;
  /** What a version is called. */
  title(proposal: V): string;
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
  receipt?: Record<string, ReceiptFact>;
  /** How a receipt is mentioned in the history. */
  recordedAs?(receipt: ReceiptView): Child;
  /** The ways to decide besides approving and rejecting; one named "edit" has the editor. */
  changes?: Record<string, Choice>;
  /** What shows a version. */
  offer?(review: Review<V>, changes: Tab | null, signal: AbortSignal): Offer;
  /** What a correction is made in. */
  editor?(
    review: Review<V>,
    draft: Typed,
    changed: (typed: Typed) => void,
    signal: AbortSignal,
  ): Editor;
  /** What changed between two versions, one of which has this content. */
  difference?(changes: NonNullable<V["changes"]>, content: V["content"]): Child;
  /** What was carried out, as it stands at its destination. */
  carriedOut?(
    operation: OperationView,
    version: number,
    signal: AbortSignal,
  ): Promise<HTMLElement | null>;
}

export interface Kind<V extends VersionView = VersionView> extends KindWords<V> {
  /** Those who have to do with it, by the roles that the API knows. */
  roles: Record<string, string>;
  request: RequestKind;
}

export interface ReceiptFact {
  name: string;
  /** How it is shown, unless its name says so. */
  value?(receipt: ReceiptView): Child;
}

/** How one is asked for. */
export interface RequestKind {
  /** What the page's address says for it after `new`. */
  form: string;
  label: string;
  /** What its draft is kept as, before the person's id. */
  draft?: string;
  /** What the form holds to ask for the same once more, by the first version if there is one. */
  again?(operation: OperationView, first: VersionView | null): Typed;
  /** What asking again is called after an end that needs something else. */
  againAfter?: Record<string, string>;
  /** The role that it takes, in words. */
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
  typed: Typed;
  /** What the API is told. */
  body: object;
  /** Say at the fields what is wrong with them, and whether anything is. */
  check(): boolean;
  /** The field by the API's name of it. */
  fieldOf(name: string): Blamed | null | undefined;
}

/** What can say what is wrong with it. */
export interface Blamed {
  blame(reason: string): void;
}

/** A version with what is shown beside it. */
export interface Offer {
  text: ReturnType<typeof tabs>;
  beside: HTMLElement;
  shortcuts: Record<string, () => void>;
  /** The name and the content of the fact that only versions of its kind have. */
  fact(review: Review): [string, Child] | null;
  update(review: Review): void;
}

export interface Tab {
  id: string;
  label: Child;
  content: Node;
  note?: string;
}

/** A version as a reviewer would have it. */
export interface Editor {
  element: HTMLElement;
  /** Whether it is shown. */
  set open(open: boolean);
  /** What is wrong with it; empty if nothing is. */
  readonly fault: string;
  /** What the API is told. */
  readonly correction: object;
  /** Say at each field what the API could not take, and return what has no field. */
  blame(reasons: Record<string, string>): Record<string, string>;
  /** What was typed and not sent. */
  leftOver(draft: Typed): Child;
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
  /** Whether it sends the comments on passages too. */
  passages?: boolean;
  /** What sends it. */
  act(version: number): string;
  /** What to know before sending it. */
  before(review: Review): Node;
}
