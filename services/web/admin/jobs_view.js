// Imports of a shop: how far they are, what became of their rows, and rows that were refused.
import { el, textButton } from "../dom.js";
import { shopPath } from "./admin_client.js";
import { formatAgo, formatBytes, formatCount, formatPlural, formatSeconds } from "./format.js";
import {
  actionButton,
  badge,
  confirmAction,
  emptyNote,
  errorNote,
  facts,
  pageSection,
  progress,
  repeat,
  replaceContent,
  stateBadge,
  table,
} from "./parts.js";

const kStates = {
  queued: ["Waiting", "quiet"],
  running: ["Running", "busy"],
  done: ["Done", "good"],
  failed: ["Failed", "bad"],
  cancelled: ["Cancelled", "quiet"],
};
const kMaxShownRows = 50;
/** What a report counts, in this order. */
const kCounts = [
  ["lines", "Rows read"],
  ["created", "New"],
  ["updated", "Changed"],
  ["unchanged", "Unchanged"],
  ["deleted", "Deleted by the feed"],
  ["removed", "Removed, not in the feed"],
  ["duplicates", "Duplicates"],
  ["warnings", "Warnings"],
  ["errors", "Refused"],
];
const kAlwaysShown = new Set(["lines", "created", "updated", "unchanged", "errors"]);

function countsOf(report) {
  return kCounts
    .filter(([name]) => kAlwaysShown.has(name) || report[name] > 0)
    .map(([name, label]) => [label, formatCount(report[name] ?? 0)]);
}

/** The share of the feed that is done; null: its size is not known. The offset counts bytes of the
 * decompressed feed, so a compressed one has no share. */
export function shareOf(job) {
  if (!(job.feed_bytes > 0) || job.offset > job.feed_bytes) return null;
  return job.offset / job.feed_bytes;
}

async function showDeadLetters(context, job, into) {
  const { client, shop, signal } = context;
  try {
    const text = await client.text(shopPath(shop, "dead-letters", { id: job.id }), signal);
    const rows = text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const columns = [
      { name: "Row", cell: (row) => formatCount(row.line), kind: "number" },
      { name: "Product", cell: (row) => String(row.id ?? "–") },
      { name: "Field", cell: (row) => row.field || "–" },
      { name: "Reason", cell: (row) => String(row.reason ?? "") },
    ];
    const more =
      rows.length > kMaxShownRows
        ? el(
            "p",
            { class: "quiet" },
            `${formatPlural(rows.length - kMaxShownRows, "more row")} in `,
            el("code", {}, `GET /v1/jobs/${job.id}/dead_letters`),
            ".",
          )
        : null;
    replaceContent(
      into,
      table(`Refused rows of ${job.id}`, columns, rows.slice(0, kMaxShownRows)),
      more,
    );
  } catch (error) {
    if (signal.aborted) return;
    replaceContent(
      into,
      errorNote(error, () => showDeadLetters(context, job, into)),
    );
  }
}

/** The refused rows of a job, loaded when they are opened. `kept` has what was shown before, by
 * job: it stays as long as no more rows are refused. */
function refusedRows(job, context, kept) {
  const refused = job.report?.errors ?? 0;
  if (refused === 0) return null;
  const before = kept.get(job.id);
  if (before?.refused === refused) return before.details;
  const letters = el("div", { class: "letters" });
  const details = el(
    "details",
    { open: before?.details.open ?? false },
    el("summary", { "data-focus": `rows ${job.id}` }, `Show refused rows of ${job.id}`),
    letters,
  );
  details.addEventListener("toggle", () => {
    if (details.open && letters.childElementCount === 0) showDeadLetters(context, job, letters);
  });
  kept.set(job.id, { refused, details });
  return details;
}

function jobCard(job, details, cancel) {
  const isOpen = job.state === "queued" || job.state === "running";
  return el(
    "li",
    { class: "card-row", "data-job": job.id },
    el(
      "div",
      { class: "card-head" },
      el("h2", {}, job.source === "http" ? "Sent over HTTP" : job.source || job.id),
      stateBadge(kStates, job.state),
      job.options?.dry_run ? badge("Trial, nothing is changed") : null,
    ),
    el(
      "p",
      { class: "quiet" },
      `${job.id}, ${formatBytes(job.feed_bytes)}, begun ${formatAgo(job.created_at)}`,
      job.seconds > 0 ? `, ran for ${formatSeconds(job.seconds)}` : "",
    ),
    isOpen ? progress(`Progress of ${job.id}`, job.state === "queued" ? 0 : shareOf(job)) : null,
    job.error ? el("p", { class: "problem-text" }, job.error.message) : null,
    facts(countsOf(job.report ?? {}), "counts"),
    (job.notes ?? []).map((note) => el("p", { class: "note" }, note)),
    details,
    isOpen
      ? el(
          "div",
          { class: "actions" },
          actionButton("Cancel import", () => cancel(job), {
            "data-focus": `cancel ${job.id}`,
            "aria-label": `Cancel import ${job.id}`,
          }),
        )
      : null,
  );
}

/** Asks, cancels a job, and says so; an error goes to `problem`. */
async function cancelJob({ client, shop, say }, job, problem) {
  replaceContent(problem);
  const agreed = await confirmAction(
    `Cancel ${job.id}?`,
    "Rows that were imported stay. The import can be started again.",
    "Cancel import",
  );
  if (!agreed) return;
  try {
    await client.send("DELETE", shopPath(shop, "jobs", { id: job.id }));
    say(`${job.id} is being cancelled.`);
  } catch (error) {
    replaceContent(problem, errorNote(error));
  }
}

function noImport() {
  return emptyNote(
    "There are no imports yet.",
    "An import begins with ",
    el("code", {}, "emptor ingest products.jsonl"),
    ", or with a request to /v1/jobs. Feeds in JSON lines, CSV and XML are read.",
  );
}

export function showJobs(context) {
  const { client, shop, signal } = context;
  const list = el("ul", { class: "cards" });
  const notes = el("div", {});
  const problem = el("div", {}); // of an action, until the next one
  const kept = new Map();
  let shown = "";
  let all = false;
  const cancel = async (job) => {
    await cancelJob(context, job, problem);
    await refresh();
  };
  const render = (jobs) => {
    const latest = [...jobs].sort((a, b) => b.id.localeCompare(a.id));
    const some = all ? latest : latest.slice(0, 20);
    const rest = latest.length - some.length;
    replaceContent(
      list,
      () => some.map((job) => jobCard(job, refusedRows(job, context, kept), cancel)),
      rest > 0
        ? el(
            "li",
            {},
            textButton(`Show ${formatPlural(rest, "older import")}`, () => {
              all = true;
              render(jobs);
            }),
          )
        : null,
    );
    replaceContent(notes, jobs.length > 0 ? null : noImport());
  };
  const refresh = async () => {
    try {
      const { jobs } = await client.get(shopPath(shop, "jobs"), signal);
      const state = JSON.stringify(jobs);
      if (state === shown) return;
      shown = state;
      render(jobs);
    } catch (error) {
      if (signal.aborted) return;
      shown = "";
      replaceContent(notes, errorNote(error));
    }
  };
  repeat(signal, 1500, refresh);
  return pageSection(
    "Imports",
    "Feeds of products and documents that came into the catalog, the latest first.",
    problem,
    notes,
    list,
  );
}
