// Reads the subset of Markdown that answers use: paragraphs, bold, lists, links to
// product pages, and citations like [2]. All else, HTML and images included, stays plain text.
//
// Blocks:  {type: "paragraph", inlines} | {type: "list", ordered, start, items: [inlines]}
// Inlines: {type: "text", text} | {type: "strong", children} | {type: "link", path, children}
//          | {type: "citation", n} | {type: "break"}
// Pure: the same text gives the same tree. The tree contains no markup.

import { safeLinkPath } from "./safe_url.js";

const kBullet = /^\s*[-*+\u2022]\s+(.*)$/;
const kNumber = /^\s*(\d{1,3})[.)]\s+(.*)$/;
const kHeading = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/;
/// A last line that is only the mark of a list item so far.
const kUnfinishedItem = /(?:^|\n)[ \t]*(?:[-*+\u2022]|\d{1,3}[.)]?)[ \t]*$/;
const kEscapable = /[!-/:-@[-`{-~]/;
const kMaxDepth = 4;
/// A label or destination longer than this is not a link; also bounds the search for its end.
const kMaxLinkPart = 400;

/// Reads `text`. With `streaming`, text at the end that could still become a link or bold is held
/// back, so that its marks are never shown. `origin` is the page's own.
export function parseMarkdown(text, { origin = "", streaming = false } = {}) {
  const groups = groupLines(streaming ? text.replace(kUnfinishedItem, "") : text);
  return groups.map((group, index) => {
    const isLast = streaming && index === groups.length - 1;
    return makeBlock(group, { origin, isLast });
  });
}

/// Lines that belong together: {kind: "paragraph" | "heading" | "bullet" | "number", start?, rows}.
function groupLines(text) {
  const groups = [];
  let open = null;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === "") {
      if (open !== null) open.closed = true;
      continue;
    }
    open = takeLine(line, open, groups);
  }
  return groups;
}

/// Adds the line to the open group or to a new one; returns the group that is open after it.
function takeLine(line, open, groups) {
  const { kind, content, start } = classify(line);
  if (kind === "bullet" || kind === "number") {
    if (open !== null && open.kind === kind) {
      open.rows.push(content);
      open.closed = false;
      return open;
    }
  } else if (kind === "paragraph" && open !== null && !open.closed && open.kind !== "heading") {
    if (open.kind === "paragraph") open.rows.push(content);
    else open.rows[open.rows.length - 1] += ` ${content}`;
    return open;
  }
  const group = { kind, start, rows: [content], closed: kind === "heading" };
  groups.push(group);
  return group;
}

function classify(line) {
  const bullet = kBullet.exec(line);
  if (bullet !== null) return { kind: "bullet", content: bullet[1] };
  const number = kNumber.exec(line);
  if (number !== null) return { kind: "number", content: number[2], start: Number(number[1]) };
  const heading = kHeading.exec(line);
  if (heading !== null) return { kind: "heading", content: heading[1] };
  return { kind: "paragraph", content: line.trim() };
}

function makeBlock(group, { origin, isLast }) {
  const rows = group.rows.map((row, index) => {
    const atEnd = isLast && index === group.rows.length - 1;
    return new InlineReader(row, { origin, atEnd }).read();
  });
  if (group.kind === "bullet" || group.kind === "number") {
    return { type: "list", ordered: group.kind === "number", start: group.start ?? 1, items: rows };
  }
  const inlines = rows.flatMap((row, index) => (index === 0 ? row : [{ type: "break" }, ...row]));
  if (group.kind === "heading") {
    return { type: "paragraph", inlines: [{ type: "strong", children: inlines }] };
  }
  return { type: "paragraph", inlines };
}

/// Reads the inlines of one row, left to right, in time linear in its length.
class InlineReader {
  #text;
  #origin;
  #atEnd;
  #depth;
  #position = 0;
  #plain = "";
  #nodes = [];

  constructor(text, { origin, atEnd, depth = 0 }) {
    this.#text = text;
    this.#origin = origin;
    this.#atEnd = atEnd;
    this.#depth = depth;
  }

  read() {
    while (this.#position < this.#text.length) this.#step();
    this.#flush();
    return this.#nodes;
  }

  #step() {
    const here = this.#text[this.#position];
    const next = this.#text[this.#position + 1] ?? "";
    if (here === "\\" && kEscapable.test(next)) {
      this.#plain += next;
      this.#position += 2;
    } else if (here === "*" && this.#takeStrong()) {
      return;
    } else if (here === "!" && next === "[" && this.#takeBracket(1)) {
      return;
    } else if (here === "[" && this.#takeBracket(0)) {
      return;
    } else {
      this.#plain += here;
      this.#position += 1;
    }
  }

  #flush() {
    if (this.#plain !== "") this.#nodes.push({ type: "text", text: this.#plain });
    this.#plain = "";
  }

  #add(node, end) {
    this.#flush();
    this.#nodes.push(node);
    this.#position = end;
  }

  #children(begin, end, atEnd) {
    const options = { origin: this.#origin, atEnd, depth: this.#depth + 1 };
    return new InlineReader(this.#text.slice(begin, end), options).read();
  }

  /// `**bold**`. At the open end of a stream a missing end is assumed, and a lone `*` waits.
  #takeStrong() {
    const begin = this.#position;
    const rest = this.#text.length - begin;
    if (this.#atEnd && (rest === 1 || this.#text.slice(begin) === "**")) {
      this.#position = this.#text.length;
      return true;
    }
    if (!this.#text.startsWith("**", begin) || this.#depth >= kMaxDepth) return false;
    if (/\s/.test(this.#text[begin + 2] ?? " ")) return false;
    const close = this.#text.indexOf("**", begin + 3);
    if (close < 0) {
      if (!this.#atEnd) return this.#takePlain(2);
      const visible = this.#text.endsWith("*") ? this.#text.length - 1 : this.#text.length;
      this.#add(
        { type: "strong", children: this.#children(begin + 2, visible, true) },
        this.#text.length,
      );
      return true;
    }
    this.#add({ type: "strong", children: this.#children(begin + 2, close, false) }, close + 2);
    return true;
  }

  #takePlain(count) {
    this.#plain += this.#text.slice(this.#position, this.#position + count);
    this.#position += count;
    return true;
  }

  /// `[2]`, `[label](address)`, and with `skip` 1 the image form, of which only the label stays.
  #takeBracket(skip) {
    const begin = this.#position + skip + 1;
    const close = this.#find("]", begin);
    if (close < 0) return this.#holdBack(begin);
    const label = this.#text.slice(begin, close);
    if (this.#text[close + 1] === "(") return this.#takeLink(begin, close, skip);
    if (skip === 0 && /^[1-9]\d?$/.test(label)) {
      this.#add({ type: "citation", n: Number(label) }, close + 1);
      return true;
    }
    return close + 1 === this.#text.length && this.#holdBack(begin);
  }

  #takeLink(begin, close, skip) {
    const end = this.#find(")", close + 2);
    if (end < 0) return this.#holdBack(close + 2);
    const path = skip === 0 ? safeLinkPath(this.#text.slice(close + 2, end), this.#origin) : null;
    const children =
      this.#depth < kMaxDepth
        ? this.#children(begin, close, false)
        : [{ type: "text", text: this.#text.slice(begin, close) }];
    if (path !== null) {
      this.#add({ type: "link", path, children: children.filter(isInsideLink) }, end + 1);
      return true;
    }
    this.#flush();
    this.#nodes.push(...children);
    this.#position = end + 1;
    return true;
  }

  #find(character, from) {
    const found = this.#text.slice(from, from + kMaxLinkPart).indexOf(character);
    return found < 0 ? -1 : from + found;
  }

  /// An unfinished bracket at the open end of a stream waits for its rest, if that may still come.
  #holdBack(from) {
    if (!this.#atEnd || this.#text.length - from >= kMaxLinkPart) return false;
    this.#position = this.#text.length;
    return true;
  }
}

function isInsideLink(node) {
  return node.type === "text" || node.type === "strong";
}
