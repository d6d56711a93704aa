// An answer as plain text: for the clipboard, and for screen readers a sentence at a time. Pure.

import { parseMarkdown } from "./markdown.js";

/// The words of a Markdown answer without marks and citations; one line for a paragraph or an item.
export function plainText(text, { origin = "", streaming = false } = {}) {
  const lines = parseMarkdown(text, { origin, streaming }).flatMap((block) =>
    block.type === "paragraph" ? [wordsOf(block.inlines)] : block.items.map(wordsOf),
  );
  return lines.join("\n");
}

function wordsOf(inlines) {
  const words = inlines.map((node) => {
    if (node.type === "text") return node.text;
    if (node.type === "break") return "\n";
    return node.type === "citation" ? "" : wordsOf(node.children);
  });
  return words.join("").replace(/[ \t]+([.,;:!?]|$)/gm, "$1");
}

/// Gives out the sentences of a growing text, each once and when it is complete.
export class SentenceReader {
  #segmenter;
  #given = 0;

  constructor(locale) {
    this.#segmenter = new Intl.Segmenter(locale, { granularity: "sentence" });
  }

  /// Sentences of `text` that were not given before. With `isComplete` the last one is among them.
  /// A text shorter than the one before is a new one.
  push(text, { isComplete = false } = {}) {
    if (text.length < this.#given) this.#given = 0;
    const segments = [...this.#segmenter.segment(text.slice(this.#given))];
    const complete = isComplete ? segments : segments.slice(0, -1);
    const words = complete.map(({ segment }) => segment);
    this.#given += words.join("").length;
    return words.map((segment) => segment.trim()).filter((segment) => segment !== "");
  }
}
