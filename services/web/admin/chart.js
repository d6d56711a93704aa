// A line chart as SVG, drawn from numbers alone.
import { el, svg } from "../dom.js";

const kWidth = 320;
const kHeight = 120;
const kTop = 8;

/** The least of 1, 2, 2.5, 5 times a power of ten that is not below the value. */
export function niceLimit(value) {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((each) => each * power >= value * (1 - 1e-9));
  return step * power;
}

/** "M0 10 L5 20", with a gap where there is no number. */
export function pathOf(values, count, limit) {
  const step = kWidth / Math.max(1, count - 1);
  const first = count - values.length;
  let path = "";
  let isOpen = false;
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return (isOpen = false);
    const x = ((first + i) * step).toFixed(1);
    const y = (kHeight - (Math.min(value, limit) / limit) * (kHeight - kTop)).toFixed(1);
    path += `${isOpen ? "L" : "M"}${x} ${y} `;
    // A value between gaps is a dot.
    if (!isOpen && !Number.isFinite(values[i + 1])) path += `h0.01 `;
    isOpen = true;
  });
  return path.trim();
}

function lastNumber(values) {
  for (let i = values.length - 1; i >= 0; --i) if (Number.isFinite(values[i])) return values[i];
  return NaN;
}

/** `lines` are `{name, values}`, the latest value last; `count` points fill the width. `format`
 * writes a value; `limit` is the top of the scale, null: as the values need. */
export function chart({ title, lines, count, format, span, limit = null }) {
  const finite = lines.flatMap(({ values }) => values.filter(Number.isFinite));
  const top = limit ?? niceLimit(Math.max(0, ...finite));
  const now = lines.map(({ name, values }) => ({ name, text: format(lastNumber(values)) }));
  const summary =
    finite.length === 0
      ? "nothing was measured yet"
      : now.map(({ name, text }) => `${name} ${text}`).join(", ");
  const drawing = svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${kWidth} ${kHeight}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `${title}: ${summary}`,
    },
    [0, 0.5, 1].map((share) => {
      const y = kHeight - share * (kHeight - kTop);
      return svg("line", { class: "chart-grid", x1: 0, x2: kWidth, y1: y, y2: y });
    }),
    lines.map(({ values }, i) =>
      svg("path", { class: `chart-line chart-line-${i}`, d: pathOf(values, count, top) }),
    ),
  );
  return el(
    "figure",
    { class: "chart-figure" },
    el(
      "figcaption",
      {},
      el("span", { class: "strong" }, title),
      el(
        "span",
        { class: "legend" },
        now.map(({ name, text }, i) =>
          el("span", { class: `legend-${i}` }, `${name} `, el("b", {}, text)),
        ),
      ),
    ),
    el(
      "div",
      { class: "chart-area" },
      el(
        "span",
        { class: "chart-top", "aria-hidden": "true" },
        finite.length > 0 ? format(top) : "",
      ),
      drawing,
    ),
    el(
      "div",
      { class: "chart-span", "aria-hidden": "true" },
      el("span", {}, span),
      el("span", {}, "now"),
    ),
  );
}
