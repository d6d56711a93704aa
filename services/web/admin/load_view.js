// Live charts from /metrics: first words, throughput, caches, queue.
import { el } from "../dom.js";
import { chart } from "./chart.js";
import { formatCount, formatSeconds, formatShare } from "./format.js";
import { parseMetrics, readingBetween } from "./metrics_text.js";
import { errorNote, pageSection, repeat, replaceContent } from "./parts.js";

const kSeconds = 2;
const kPoints = 150;

const kCharts = [
  {
    title: "First words after",
    format: formatSeconds,
    lines: [
      ["mean", "firstTokenMean"],
      ["95 % within", "firstTokenSlow"],
    ],
  },
  {
    title: "Answers a minute",
    format: (value) => formatCount(Math.round(value * 10) / 10),
    lines: [["answers", "answersPerMinute"]],
  },
  {
    title: "Tokens written a second",
    format: (value) => formatCount(Math.round(value)),
    lines: [["tokens", "tokensPerSecond"]],
  },
  {
    title: "Found in a cache",
    format: formatShare,
    limit: 1,
    lines: [
      ["answers", "answerCache"],
      ["prompt tokens", "prefixCache"],
    ],
  },
  {
    title: "Requests to the model",
    format: formatCount,
    lines: [
      ["running", "running"],
      ["waiting", "waiting"],
    ],
  },
];

/** What was read so far, while the page is open. */
export class LoadHistory {
  #last = null;
  points = [];

  add(text, milliseconds) {
    const families = parseMetrics(text);
    if (this.#last !== null) {
      const seconds = (milliseconds - this.#last.milliseconds) / 1000;
      if (seconds <= 0) return;
      this.points.push(readingBetween(this.#last.families, families, seconds));
      if (this.points.length > kPoints) this.points.shift();
    }
    this.#last = { families, milliseconds };
  }
}

function charts(points) {
  return kCharts.map(({ title, format, limit = null, lines }) =>
    chart({
      title,
      format,
      limit,
      count: kPoints,
      span: `${(kPoints * kSeconds) / 60} minutes ago`,
      lines: lines.map(([name, key]) => ({ name, values: points.map((point) => point[key]) })),
    }),
  );
}

export function showLoad({ client, signal }) {
  const history = new LoadHistory();
  const grid = el("div", { class: "charts" });
  const notes = el("div", {});
  replaceContent(grid, charts([]));
  repeat(signal, kSeconds * 1000, async () => {
    try {
      history.add(await client.text("/metrics", signal), performance.now());
      replaceContent(grid, charts(history.points));
      replaceContent(notes);
    } catch (error) {
      if (!signal.aborted) replaceContent(notes, errorNote(error));
    }
  });
  return pageSection(
    "Load",
    `What the whole service does now, all shops together. A point each ${kSeconds} seconds, while this page is open.`,
    notes,
    grid,
  );
}
