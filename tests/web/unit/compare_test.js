// The rows of a comparison.

import assert from "node:assert/strict";
import test from "node:test";
import { compareRows } from "../../../services/web/compare_view.js";

function product(attributes) {
  return { attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })) };
}

const kRows = compareRows([
  product({ "internal memory": "8192", weight: "1.2 kg", ports: "2", "model year": "2021" }),
  product({ "Internal memory": "16384", weight: "1.2 KG", ports: "3" }),
]);
const row = (label) => kRows.find((each) => each.label === label);

test("one row for each attribute, however its name is written", () => {
  assert.deepEqual(row("ports").cells, ["2", "3"]);
  assert.deepEqual(row("model year").cells, ["2021", ""]);
  assert.equal(kRows.length, 4);
});

test("a row says whether its cells differ, case aside", () => {
  assert.equal(row("weight").isDifferent, false);
  assert.equal(row("ports").isDifferent, true);
});

test("large numbers without a unit say nothing, and come last", () => {
  assert.deepEqual(
    kRows.filter(({ isRaw }) => isRaw).map(({ label }) => label),
    ["internal memory"],
  );
  assert.equal(kRows.at(-1).label, "internal memory");
});

test("years, and numbers whose name has the unit, say something", () => {
  const rows = compareRows([
    product({ edition: "2026", "weight (g)": "1200", memory: "2101", "size (shipping box)": "1200" }),
    product({ edition: "1900", "weight (g)": "1300", memory: "1899" }),
  ]);
  assert.deepEqual(
    rows.map(({ label, isRaw }) => [label, isRaw]),
    [
      ["edition", false],
      ["weight (g)", false],
      ["memory", true],
      ["size (shipping box)", true],
    ],
  );
});
