/** What the page uses of ProseMirror and markdown-it; `local/page_library.py` bundles it. */

export { default as MarkdownIt } from "markdown-it";
export { baseKeymap, toggleMark } from "prosemirror-commands";
export { history, redo, undo } from "prosemirror-history";
export { keymap } from "prosemirror-keymap";
export {
  defaultMarkdownParser,
  defaultMarkdownSerializer,
  MarkdownParser,
  MarkdownSerializer,
  schema,
} from "prosemirror-markdown";
export { Fragment, Node, Schema, Slice } from "prosemirror-model";
export { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
export { EditorState, Plugin } from "prosemirror-state";
export { Decoration, DecorationSet, EditorView } from "prosemirror-view";
