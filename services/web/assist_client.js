// Asks the assistant: POST /v1/assist, and the events of its answer as they come.

import { SseParser } from "./sse.js";

/// The service sends a ping every 10 s; a connection that misses three of them is dead.
const kSilenceLimitMs = 35000;

/// What went wrong, as this page names it: "offline" (no connection), "interrupted" (the stream
/// broke off), "busy", "late", "rejected" (the request itself) or "failed" (the service).
export class AssistError extends Error {
  constructor(kind, { message = "", retryable = true, requestId = "" } = {}) {
    super(message || kind);
    this.name = "AssistError";
    this.kind = kind;
    this.retryable = retryable;
    this.requestId = requestId;
  }
}

/// The kind of failure behind an error code of the service or an HTTP status.
export function failureKind(code, status = 0) {
  const word = String(code ?? "").toLowerCase();
  if (status === 429 || /exhausted|rate|overload|busy|too_many/.test(word)) return "busy";
  if (status === 503 || /unavailable|shutdown|drain/.test(word)) return "busy";
  if (status === 504 || status === 408 || /deadline|timeout/.test(word)) return "late";
  if ((status >= 400 && status < 500) || /invalid|argument|too_large/.test(word)) return "rejected";
  return "failed";
}

/// Yields {event, data, id} with `data` read from JSON, up to and including "done" or "error".
/// `lastEventId` resumes a broken stream where the service can; if it cannot, it answers from the
/// beginning and the first event is "start". Throws AssistError, or AbortError once `signal` is
/// aborted.
export async function* streamAssist(service, body, { signal, lastEventId = "" } = {}) {
  const line = new AbortController();
  const hangUp = () => line.abort(signal?.reason);
  if (signal?.aborted) hangUp();
  signal?.addEventListener("abort", hangUp, { once: true });
  try {
    const response = await request(service, body, line.signal, lastEventId);
    yield* readEvents(response.body, line);
  } catch (error) {
    if (signal?.aborted || error instanceof AssistError) throw error;
    throw new AssistError("interrupted", { message: String(error?.message ?? error) });
  } finally {
    signal?.removeEventListener("abort", hangUp);
    line.abort();
  }
}

async function request(service, body, signal, lastEventId) {
  const headers = { Accept: "text/event-stream" };
  if (lastEventId !== "") headers["Last-Event-ID"] = lastEventId;
  let response;
  try {
    response = await service.send("POST", "/v1/assist", body, {
      headers,
      signal, // no `cache` mode: browsers would send Cache-Control: no-cache, and no reply to POST is cached
    });
  } catch (error) {
    throw new AssistError("offline", { message: String(error?.message ?? error) });
  }
  if (!response.ok) throw await refusal(response);
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.startsWith("text/event-stream") || response.body === null) {
    throw new AssistError("failed", { message: `expected an event stream, found "${type}"` });
  }
  return response;
}

/// The error of a reply outside 2xx.
async function refusal(response) {
  let error = {};
  try {
    error = (await response.json()).error ?? {};
  } catch {
    // A page of a proxy, or no body: the status is enough.
  }
  const kind = failureKind(error.code, response.status);
  return new AssistError(kind, {
    message: typeof error.message === "string" ? error.message : `HTTP ${response.status}`,
    retryable: kind !== "rejected",
    requestId: error.request_id ?? response.headers.get("X-Request-Id") ?? "",
  });
}

async function* readEvents(stream, line) {
  const parser = new SseParser();
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  for (;;) {
    const watchdog = setTimeout(() => line.abort(), kSilenceLimitMs);
    let chunk;
    try {
      chunk = await reader.read();
    } finally {
      clearTimeout(watchdog);
    }
    if (chunk.done) break;
    for (const event of parser.push(decoder.decode(chunk.value, { stream: true }))) {
      yield { event: event.event, data: JSON.parse(event.data), id: event.id };
      if (event.event === "done" || event.event === "error") return;
    }
  }
  throw new AssistError("interrupted", { message: "the stream ended without done" });
}
