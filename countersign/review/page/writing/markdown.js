/** A text in Markdown as a document that can be edited, and the text that the document becomes. */

import { blocksIn, readerOf } from "./blocks.js";
import { schemaOf } from "./schema.js";
import { serializerOf, TOKENS } from "./tokens.js";

/**
 * @import { Node } from "prosemirror-model"
 * @import Token from "markdown-it/lib/token.mjs"
 * @import { Block } from "./blocks.js"
 * @import { Library } from "./library.js"
 */

/** Definitions of links and footnotes: what they are is told by the text around them. */
const DEFINES = /^[\s>*+\-\d.)]*\[[^\]\n]+\]:/m;

/** Signs of citations, which stand for themselves unless something follows that makes a link. */
const ESCAPED_CITATION = /\\\[(\d+(?:[,;–-] ?\d+)*)\\\]/g;

export class Markdown {
  #reader;
  #parser;
  #serializer;
  /** @type {Token[]} what the parser is given, one block after the other */
  #tokens = [];
  /** @type {{references?: object}} */
  #env = {};
  #blocks;
  #after;
  /** @type {Node[]} the blocks of the text as they were */
  #originals;
  /** @type {WeakMap<Node, string>} */
  #written = new WeakMap();

  /**
   * @param {Library} library
   * @param {string} text with lines that end in "\n"
   */
  constructor(library, text) {
    this.#reader = readerOf(library);
    this.schema = schemaOf(library);
    const { MarkdownParser, defaultMarkdownParser } = library;
    const given = /** @type {any} */ ({ parse: () => this.#tokens });
    const specs = { ...defaultMarkdownParser.tokens, ...TOKENS };
    this.#parser = new MarkdownParser(this.schema, given, specs);
    this.#serializer = serializerOf(library);
    const { blocks, after } = blocksIn(this.#reader, text, this.#env);
    this.#blocks = blocks;
    this.#after = after;
    this.#originals = blocks.map((block, origin) => this.#nodeOf(block, origin));
    const content = this.#originals.length ? this.#originals : [this.schema.node("paragraph")];
    this.doc = this.schema.node("doc", null, content);
  }

  /**
   * The block of the text that a block of the document was; undefined for a new one.
   *
   * @param {Node} node
   * @returns {Node|undefined}
   */
  original(node) {
    return this.#originals[node.attrs.origin ?? -1];
  }

  /**
   * The text of a document. A block that is as it was is written as it was, byte for byte.
   *
   * @param {Node} doc
   */
  textOf(doc) {
    let text = "";
    /** @type {Node|null} */
    let before = null;
    doc.forEach((node) => {
      const source = this.#sourceOf(node);
      if (!source) return;
      text += this.#between(before, node, text) + source;
      before = node;
    });
    return text + this.#end(before);
  }

  /** @param {Node|null} last */
  #end(last) {
    if (!last) return this.#originals.length ? "" : this.#after;
    return last.attrs.origin === this.#originals.length - 1 ? this.#after : "\n";
  }

  /**
   * @param {Node|null} before
   * @param {Node} node
   * @param {string} text so far
   */
  #between(before, node, text) {
    const { origin } = node.attrs;
    const between = this.#blocks[origin ?? -1]?.before;
    if (!before) return origin === 0 ? between : "";
    const follows = origin !== null && before.attrs.origin === origin - 1;
    const same = follows && this.#isAsItWas(before) && this.#isAsItWas(node);
    if (follows && (same || /\n[^\S\n]*\n/.test(between))) return between;
    return text ? "\n\n" : "";
  }

  /** @param {Node} node */
  #isAsItWas(node) {
    const original = this.original(node);
    return node === original || (original !== undefined && node.eq(original));
  }

  /** @param {Node} node */
  #sourceOf(node) {
    if (this.#isAsItWas(node)) return this.#blocks[node.attrs.origin].source;
    const known = this.#written.get(node);
    if (known !== undefined) return known;
    const made = node.type.name === "raw" ? node.textContent : this.#write(node);
    this.#written.set(node, made);
    return made;
  }

  /**
   * @param {Block} block
   * @param {number} origin
   */
  #nodeOf(block, origin) {
    const read = isReadable(block) && this.#read(block.tokens ?? []);
    const same = read && this.#means(block.source, read) && this.#means(this.#write(read), read);
    const { schema } = this;
    if (!read || !same) return schema.node("raw", { origin }, schema.text(block.source));
    return read.type.create({ ...read.attrs, origin }, read.content);
  }

  /**
   * @param {Token[]} tokens of one block
   * @returns {Node|null} null for what the document has no block for
   */
  #read(tokens) {
    this.#tokens = tokens;
    try {
      const doc = this.#parser.parse("");
      return doc.childCount === 1 ? doc.child(0) : null;
    } catch {
      return null;
    }
  }

  /**
   * Whether a block is what its Markdown says by itself, and still with the definitions of the text.
   *
   * @param {string} source
   * @param {Node} node
   */
  #means(source, node) {
    const readings = this.#env.references ? [{}, { ...this.#env }] : [{}];
    return readings.every((env) => this.#read(this.#reader.parse(source, env))?.eq(node));
  }

  /** @param {Node} node */
  #write(node) {
    const bare = node.type.create({ ...node.attrs, origin: null }, node.content);
    const written = this.#serializer.serialize(this.schema.node("doc", null, [bare]));
    const plainer = written.replace(ESCAPED_CITATION, "[$1]");
    return plainer !== written && this.#means(plainer, bare) ? plainer : written;
  }
}

/**
 * Whether nothing is lost when a block is written anew.
 *
 * @param {Block} block
 */
function isReadable({ source, tokens }) {
  if (!tokens || DEFINES.test(source)) return false;
  // Four blanks make code, unless the block before goes on in them.
  if (tokens.some(({ type }) => type === "code_block")) return false;
  return tokens[0].type !== "table_open" || !hasExtraCells(source);
}

/**
 * Whether a row of a table has more cells than its head, which a reader is shown all the same.
 *
 * @param {string} table
 */
function hasExtraCells(table) {
  const [head, ...rows] = table.split("\n").map((row) => {
    const cells = row
      .trim()
      .replace(/^\|/, "")
      .replace(/(?<!\\)\|$/, "");
    return cells.split(/(?<!\\)\|/).length;
  });
  return rows.some((cells) => cells > head);
}
