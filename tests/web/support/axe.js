// axe-core over a page.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/// What axe reports of the page as it is, with all its rules and of any level: [] is wanted.
export async function findings(page) {
  await page.evaluate(await readFile(require.resolve("axe-core/axe.min.js"), "utf8"));
  const report = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ["violations"] }),
  );
  return report.violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0].html}`);
}
