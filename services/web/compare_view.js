// Products next to each other: one row for each attribute, so that the same things are compared.

import { availabilityLine, picture, priceLine, ratingLine } from "./cards.js";
import { fetchProduct } from "./catalog_client.js";
import { openDialog } from "./dialogs.js";
import { el, iconButton, spoken } from "./dom.js";

export const kMaxCompared = 4;

/// "16384" of "internal memory": a large number of which the record names no unit. A number of
/// pages or a year (1900 to 2100) is none, nor is one whose name has the unit: "weight (g)".
const kBareNumber = /^(?!(19[0-9]{2}|20[0-9]{2}|2100)$)[0-9]{4,}(\.[0-9]+)?$/;
const kUnit = /\([^()\s]{1,4}\)\s*$/;
const kCounting =
  /\b(number|count|quantity|year|pages|pieces|rating|code|model|version|score|date)\b/i;

/// The rows of a comparison: {label, cells, isDifferent}. A cell is text, or "" where the record of
/// its product does not state it. First the attributes that more of the products state; those whose
/// cells say nothing to a shopper (`isRaw`) come last. Pure.
export function compareRows(products) {
  const names = new Map();
  for (const { attributes } of products) {
    for (const { name } of attributes) {
      const key = name.toLowerCase();
      const known = names.get(key) ?? { name, count: 0 };
      names.set(key, { ...known, count: known.count + 1 });
    }
  }
  const valueOf = (product, key) =>
    product.attributes.find(({ name }) => name.toLowerCase() === key)?.value ?? "";
  return [...names]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([key, { name }]) =>
      makeRow(
        name,
        products.map((product) => valueOf(product, key)),
      ),
    )
    .sort((a, b) => a.isRaw - b.isRaw);
}

function makeRow(label, cells) {
  const folded = new Set(cells.map((cell) => cell.trim().toLowerCase()));
  const stated = cells.filter((cell) => cell !== "");
  const isNamed = kCounting.test(label) || kUnit.test(label);
  const isRaw = !isNamed && stated.every((cell) => kBareNumber.test(cell.trim()));
  return { label, cells, isDifferent: folded.size > 1, isRaw };
}

/// The table of `products`. With `onlyDifferences` rows of equal cells are left out; `limit` bounds
/// the rows of attributes, and leaves out raw ones. `onRemove(product)`, where given, adds a button
/// to each product.
export function compareTable(
  products,
  ui,
  { onlyDifferences = false, limit = Infinity, onRemove } = {},
) {
  const isShort = limit < Infinity;
  const rows = compareRows(products).filter(
    ({ isDifferent, isRaw }) => (isDifferent || !onlyDifferences) && (!isRaw || !isShort),
  );
  const brands = products.map(({ brand }) => brand);
  const table = el(
    "table",
    { class: `compare compare-${products.length}`, role: "table" },
    el("thead", { role: "rowgroup" }, headRow(products, ui, onRemove)),
    el(
      "tbody",
      { role: "rowgroup" },
      ...factRows(products, ui),
      brands.some(Boolean)
        ? textRow(ui, { label: ui.strings.t("brandName"), cells: brands })
        : null,
      ...rows
        .slice(0, limit)
        .map((row) => textRow(ui, { ...row, label: sentenceCase(row.label, ui) })),
    ),
  );
  return el(
    "div",
    {
      class: "table-frame compare-frame",
      role: "group",
      "aria-label": ui.strings.t("comparison"),
      tabindex: 0,
    },
    table,
  );
}

function headRow(products, ui, onRemove) {
  const cells = products.map((product) => {
    const label = ui.strings.t("compareRemove", { title: product.title });
    return el(
      "th",
      { scope: "col", role: "columnheader", class: "compare-product" },
      picture(product.images[0], ui),
      el("a", { href: ui.productHref(product), dir: "auto", title: product.title }, product.title),
      product.variant ? el("span", { class: "card-variant", dir: "auto" }, product.variant) : null,
      onRemove ? iconButton("close", label, () => onRemove(product)) : null,
    );
  });
  return el("tr", { role: "row" }, rowHead(ui.strings.t("product")), ...cells);
}

/// Price, rating and availability, where any of the products has them.
function factRows(products, { strings }) {
  const row = (label, view) => {
    const cells = products.map((product) => view(product, strings));
    if (cells.every((cell) => cell === null)) return null;
    return el(
      "tr",
      { role: "row" },
      rowHead(label),
      ...cells.map((cell) => dataCell(cell, strings)),
    );
  };
  return [
    row(strings.t("price"), priceLine),
    row(strings.t("rating"), ratingLine),
    row(strings.t("availability"), availabilityLine),
  ];
}

function textRow({ strings }, { label, cells, isDifferent = false }) {
  return el(
    "tr",
    { role: "row", class: isDifferent ? "is-different" : null },
    rowHead(label),
    ...cells.map((cell) => dataCell(cell === "" ? null : cell, strings)),
  );
}

function rowHead(text) {
  return el("th", { scope: "row", role: "rowheader", dir: "auto" }, text);
}

function dataCell(content, strings) {
  const none = [el("span", { "aria-hidden": "true" }, "–"), spoken(strings.t("notStated"))];
  return el("td", { role: "cell", dir: "auto" }, content ?? none);
}

/// An attribute name of a record, as a label.
export function sentenceCase(name, { strings }) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toLocaleUpperCase(strings.locale) + words.slice(1);
}

/// The record with its attributes, of a product that was kept without them; as it is when it cannot
/// be read.
async function whole(product, { service }) {
  if (!product.isShort) return product;
  const record = await fetchProduct(service, product.id).catch(() => null);
  return record === null ? product : { ...record, n: product.n };
}

/// Opens the comparison of up to four products. A shopper may leave some out, down to two.
export async function openComparison(products, ui) {
  const compared = products.slice(0, kMaxCompared);
  let shown = await Promise.all(compared.map((product) => whole(product, ui)));
  const box = el("input", { type: "checkbox", class: "switch" });
  const choice = el("label", { class: "check" }, box, ui.strings.t("compareDifferences"));
  const frame = el("div", { class: "compare-holder" });
  const show = () => {
    const onRemove = (product) => {
      shown = shown.filter((other) => other !== product);
      show();
      frame.querySelector("button, a")?.focus();
    };
    const options = {
      onlyDifferences: box.checked,
      onRemove: shown.length > 2 ? onRemove : undefined,
    };
    frame.replaceChildren(compareTable(shown, ui, options));
  };
  box.addEventListener("change", show);
  show();
  openDialog(ui, {
    title: ui.strings.t("comparison"),
    content: [choice, frame],
    className: "dialog-wide",
  });
}
