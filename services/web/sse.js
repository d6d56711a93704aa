// Reads server-sent events from text that arrives in chunks cut anywhere.

/// One event: its name ("message" by default), its data lines joined by "\n", and the last id
/// seen. Follows the event stream format of the HTML standard (section 9.2.6): LF, CR and CRLF end
/// a line, lines that begin with ":" are comments, an event without data is not dispatched.
export class SseParser {
  #line = "";
  #afterCarriageReturn = false;
  #started = false;
  #data = [];
  #dataLength = 0;
  #name = "";
  #id = "";
  #maxEventLength;

  /// Throws RangeError from push() when one event grows past `maxEventLength` characters.
  constructor({ maxEventLength = 1 << 20 } = {}) {
    this.#maxEventLength = maxEventLength;
  }

  /// The id of the last dispatched event that had one; what Last-Event-ID resumes from.
  lastEventId = "";

  /// Takes the next chunk of text; returns the events that it completes, as {event, data, id}.
  push(chunk) {
    const events = [];
    let text = chunk;
    if (!this.#started && text !== "") {
      this.#started = true;
      if (text.startsWith("\uFEFF")) text = text.slice(1);
    }
    if (this.#afterCarriageReturn && text !== "") {
      if (text[0] === "\n") text = text.slice(1);
      this.#afterCarriageReturn = false;
    }
    const lineEnd = /\r\n|\n|\r/g;
    let begin = 0;
    for (let match = lineEnd.exec(text); match !== null; match = lineEnd.exec(text)) {
      this.#takeLine(this.#line + text.slice(begin, match.index), events);
      this.#line = "";
      begin = lineEnd.lastIndex;
      this.#afterCarriageReturn = match[0] === "\r" && begin === text.length;
    }
    this.#line += text.slice(begin);
    if (this.#line.length > this.#maxEventLength) throw new RangeError("event too long");
    return events;
  }

  #takeLine(line, events) {
    if (line === "") {
      this.#dispatch(events);
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (field === "data") this.#takeData(value);
    if (field === "event") this.#name = value;
    if (field === "id" && !value.includes("\0")) this.#id = value;
  }

  #takeData(value) {
    this.#data.push(value);
    this.#dataLength += value.length + 1;
    if (this.#dataLength > this.#maxEventLength) throw new RangeError("event too long");
  }

  #dispatch(events) {
    this.lastEventId = this.#id;
    if (this.#data.length > 0) {
      events.push({ event: this.#name || "message", data: this.#data.join("\n"), id: this.#id });
    }
    this.#data = [];
    this.#dataLength = 0;
    this.#name = "";
  }
}
