// Reads Prometheus' text format, and what the charts show of it. Pure.

const kSample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+\d+)?$/;
const kLabel = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** A map from names to samples `{labels, value}`. Lines that are none are left out. */
export function parseMetrics(text) {
  const families = new Map();
  for (const line of text.split("\n")) {
    const match = line.startsWith("#") ? null : kSample.exec(line.trim());
    if (match === null) continue;
    const value = match[3] === "+Inf" ? Infinity : Number(match[3]);
    if (Number.isNaN(value)) continue;
    const labels = {};
    for (const [, name, written] of (match[2] ?? "").matchAll(kLabel)) {
      labels[name] = written.replaceAll(/\\(.)/g, (_, c) => (c === "n" ? "\n" : c));
    }
    if (!families.has(match[1])) families.set(match[1], []);
    families.get(match[1]).push({ labels, value });
  }
  return families;
}

/** The sum of a name's samples that have these labels; NaN where there is none of that name. */
export function sumOf(families, name, labels = {}) {
  const samples = families.get(name);
  if (samples === undefined) return NaN;
  return samples
    .filter((sample) =>
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}

/** How much a counter grew; after a restart of the service, from zero. */
function growth(before, after, name, labels = {}) {
  const [from, to] = [sumOf(before, name, labels), sumOf(after, name, labels)];
  if (Number.isNaN(to)) return NaN;
  return Number.isNaN(from) || to < from ? to : to - from;
}

/** The mean of what a histogram observed in between; NaN: nothing. */
function meanBetween(before, after, name) {
  const count = growth(before, after, `${name}_count`);
  return count > 0 ? growth(before, after, `${name}_sum`) / count : NaN;
}

/** The value that a share of what was observed in between does not exceed, by the buckets' upper
 * bounds; NaN: nothing was observed. */
export function quantileBetween(before, after, name, share) {
  const bucket = `${name}_bucket`;
  const bounds = [...new Set((after.get(bucket) ?? []).map(({ labels }) => labels.le))]
    .map((text) => ({ text, bound: text === "+Inf" ? Infinity : Number(text) }))
    .sort((a, b) => a.bound - b.bound);
  const counts = bounds.map(({ text }) => growth(before, after, bucket, { le: text }));
  const total = counts.at(-1) ?? 0;
  if (!(total > 0)) return NaN;
  const at = counts.findIndex((count) => count >= total * share);
  return Number.isFinite(bounds[at].bound) ? bounds[at].bound : (bounds[at - 1]?.bound ?? NaN);
}

const kFirstToken = "gen_ai_server_time_to_first_token_seconds";
const kCache = "emptor_answer_cache_lookups_total";

/** One point of each chart: what happened between two readings, `seconds` apart. NaN: nothing did. */
export function readingBetween(before, after, seconds) {
  const lookups = growth(before, after, kCache);
  const missed =
    growth(before, after, kCache, { result: "miss" }) +
    growth(before, after, kCache, { result: "bypass" });
  const looked = growth(before, after, "emptor_engine_prefix_cache_queries_total");
  const answers = growth(before, after, "emptor_answers_total");
  return {
    firstTokenMean: meanBetween(before, after, kFirstToken),
    firstTokenSlow: quantileBetween(before, after, kFirstToken, 0.95),
    tokensPerSecond: growth(before, after, "emptor_engine_generation_tokens_total") / seconds,
    answersPerMinute: (answers / seconds) * 60,
    answerCache: lookups > 0 ? (lookups - missed) / lookups : NaN,
    prefixCache:
      looked > 0 ? growth(before, after, "emptor_engine_prefix_cache_hits_total") / looked : NaN,
    running: sumOf(after, "emptor_engine_requests_running"),
    waiting: sumOf(after, "emptor_engine_requests_waiting"),
  };
}
