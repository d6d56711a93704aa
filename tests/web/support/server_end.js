// The end of a server that a test has started.
import assert from "node:assert/strict";
import { once } from "node:events";
import { rm } from "node:fs/promises";

/** Ends the process and checks that its end is clean; then its data are removed. */
export async function endServer(server, data) {
  if (server.exitCode !== null) return;
  const exit = once(server, "exit");
  server.kill("SIGTERM");
  assert.deepEqual(await exit, [0, null]);
  await rm(data, { recursive: true });
}
