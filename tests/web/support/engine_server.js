// `emptor engine serve` with the shipped models, as a process of its own.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endServer } from "./server_end.js";

const binary = process.env.EMPTOR_BINARY ??
  fileURLToPath(new URL("../../../build/release/emptor", import.meta.url));

/** Starts a server and waits until it is ready. `stop` ends it, and checks that its end is clean. */
export async function startEngineServer() {
  const data = await mkdtemp(join(tmpdir(), "emptor-engine-"));
  const server = spawn(binary, ["engine", "serve", "--listen", "none", "--http", "127.0.0.1:0",
    "--admin-listen", "127.0.0.1:0", "--data-dir", data], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const piece of server.stdout) {
    output += piece;
    if (output.includes("ready\n")) break;
  }
  const [, url] = /serving on (\S+)/.exec(output) ?? [];
  assert.ok(url, `the engine server did not start: ${output}`);
  return {
    url,
    stop: () => endServer(server, data),
  };
}
