// `emptor serve` with the sample shop and no language model, as a process of its own.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { endServer } from "./server_end.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The program, which need not be built. */
export const kBinary = process.env.EMPTOR_BINARY ?? join(root, "build/release/emptor");

/** Fills a shop and serves it: with lines of YAML as settings, and with the shipped language model
 * where `model` is "". `run(...arguments)` is the command on its data; `key` is its own
 * admin key. `stop` ends it, and checks that its end is clean. */
export async function startShopServer({ settings = "", model = "none" } = {}) {
  const data = await mkdtemp(join(tmpdir(), "emptor-shop-"));
  const run = async (...args) =>
    (await promisify(execFile)(kBinary, [...args, "--data-dir", data])).stdout;
  for (const feed of ["products", "faq"]) {
    await run("ingest", join(root, `data/sample-shop/${feed}.jsonl`));
  }
  await writeFile(join(data, "settings.yaml"), settings);
  const server = spawn(kBinary, ["serve", "--data-dir", data, "--listen", "127.0.0.1:0",
    "--admin-listen", "127.0.0.1:0", "--log-level", "warning",
    ...(model === "" ? [] : ["--model", model]),
    ...(settings === "" ? [] : ["--config", join(data, "settings.yaml")])],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  server.stdout.setEncoding("utf8");
  let service = null;
  for (let tries = 0; tries < 300 && service === null; ++tries) {
    assert.equal(server.exitCode, null, "the service did not start");
    await new Promise((done) => setTimeout(done, 100));
    service = await readFile(join(data, "service.json"), "utf8").then(JSON.parse, () => null);
  }
  server.stdout.resume();
  assert.ok(service, "the service did not start");
  return {
    url: service.url,
    adminUrl: service.admin_url,
    key: (await readFile(join(data, "admin.key"), "utf8")).trim(),
    run,
    stop: () => endServer(server, data),
  };
}
