// Values as an operator reads them. Pure.

const kNumber = new Intl.NumberFormat("en");
const kUnits = ["B", "KB", "MB", "GB", "TB"];

export function formatCount(value) {
  return Number.isFinite(value) ? kNumber.format(value) : "–";
}

/** "1 row", "2 rows". */
export function formatPlural(count, one, many = `${one}s`) {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** "4.8 MB", of 1,000 bytes each step. */
export function formatBytes(bytes) {
  if (!Number.isFinite(bytes)) return "–";
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.length) {
    value /= 1000;
    ++unit;
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${kUnits[unit]}`;
}

/** "0.4 ms", "35 ms", "1.2 s", "3 min 5 s". */
export function formatSeconds(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 0.01) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}

/** "12.5 %". */
export function formatShare(share) {
  if (!Number.isFinite(share)) return "–";
  const percent = share * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** "just now", "5 minutes ago", then the date. `time` is RFC 3339 or milliseconds. */
export function formatAgo(time, now = Date.now()) {
  const at = typeof time === "number" ? time : Date.parse(time ?? "");
  if (!Number.isFinite(at)) return "–";
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 10) return "just now";
  if (seconds < 60) return `${seconds} seconds ago`;
  if (seconds < 3600) return `${formatPlural(Math.floor(seconds / 60), "minute")} ago`;
  if (seconds < 24 * 3600) return `${formatPlural(Math.floor(seconds / 3600), "hour")} ago`;
  return new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/** The Markdown of an answer as text: links by their words, nothing bold. */
export function plainAnswer(text) {
  return text.replaceAll(/\[([^\]]+)\]\([^)\s]*\)/g, "$1").replaceAll("**", "");
}

/** "not_sold" as "not sold". */
export function plainName(name) {
  return String(name ?? "")
    .replaceAll("_", " ")
    .toLowerCase();
}
