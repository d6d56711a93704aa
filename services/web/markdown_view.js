// Shows a Markdown answer that grows: only the blocks that changed are rebuilt.

import { el } from "./dom.js";
import { parseMarkdown } from "./markdown.js";
import { productIdOfPath } from "./safe_url.js";

export class MarkdownView {
  #container;
  #makeCitation;
  #origin;
  #makeHref;
  #shown = [];
  #cited = new Set();

  /// `origin` is the service's. `makeCitation(n)` returns the node of source n, `makeHref(id)` the
  /// address that a link to a product leads to.
  constructor(container, { origin, makeCitation, makeHref }) {
    this.#container = container;
    this.#origin = origin;
    this.#makeHref = makeHref;
    this.#makeCitation = makeCitation;
  }

  /// The sources that the text names, after the last update.
  get cited() {
    return this.#cited;
  }

  /// Shows `text`. `version` changes when citations must be built again.
  update(text, { streaming, version }) {
    const blocks = parseMarkdown(text, { origin: this.#origin, streaming });
    this.#cited = new Set();
    blocks.forEach((block, index) => {
      collectCitations(block, this.#cited);
      const key = `${version} ${JSON.stringify(block)}`;
      if (this.#shown[index] === key) return;
      const node = this.#block(block);
      const old = this.#container.children[index];
      if (old === undefined) this.#container.append(node);
      else old.replaceWith(node);
      this.#shown[index] = key;
    });
    this.#shown.length = blocks.length;
    while (this.#container.children.length > blocks.length) this.#container.lastChild.remove();
  }

  #block(block) {
    if (block.type === "paragraph") {
      return el("p", { dir: "auto" }, ...this.#inlines(block.inlines));
    }
    const items = block.items.map((item) => el("li", {}, ...this.#inlines(item)));
    if (!block.ordered) return el("ul", { dir: "auto" }, ...items);
    return el("ol", { dir: "auto", start: block.start === 1 ? null : block.start }, ...items);
  }

  /// There is no line break between a word and its citation, nor between the citation and the point
  /// or comma after it.
  #citation(nodes, index) {
    const { word } = splitText(nodes, index - 1);
    const { points } = splitText(nodes, index + 1);
    return el(
      "span",
      { class: "cited" },
      word,
      word === "" ? "" : "\u202f",
      this.#makeCitation(nodes[index].n),
      points,
    );
  }

  #inlines(nodes) {
    return nodes.map((node, index) => {
      if (node.type === "text") return splitText(nodes, index).own;
      if (node.type === "break") return el("br");
      if (node.type === "citation") return this.#citation(nodes, index);
      if (node.type === "strong") return el("strong", {}, ...this.#inlines(node.children));
      return el(
        "a",
        { href: this.#makeHref(productIdOfPath(node.path)) },
        ...this.#inlines(node.children),
      );
    });
  }
}

const kPoints = /^[.,;:!?\u2026)\u3002\uff0c\uff1b\uff1a\uff01\uff1f]*/;
const kLastWord = /(\S{1,30})\s*$/;

/// The text at `index` in three: points that belong to a citation before it, its own text, and the
/// word that a citation after it belongs to. All empty where there is no text.
function splitText(nodes, index) {
  const node = nodes[index];
  if (node?.type !== "text") return { points: "", own: "", word: "" };
  const points = nodes[index - 1]?.type === "citation" ? kPoints.exec(node.text)[0] : "";
  const rest = node.text.slice(points.length);
  if (nodes[index + 1]?.type !== "citation") return { points, own: rest, word: "" };
  const match = kLastWord.exec(rest);
  if (match === null) return { points, own: rest.trimEnd(), word: "" };
  return { points, own: rest.slice(0, match.index), word: match[1] };
}

function collectCitations(node, into) {
  if (Array.isArray(node)) node.forEach((child) => collectCitations(child, into));
  else if (node.type === "citation") into.add(node.n);
  else collectCitations(node.inlines ?? node.items ?? node.children ?? [], into);
}
