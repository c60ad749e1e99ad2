/**
 * Processes of workers, each running the program of this process again.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { copyLines } from "./line_output.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import type { Fork } from "./slot.ts";
import { WORKER_VARIABLE } from "./worker.ts";

type StartProcess = (env: Record<string, string>) => ChildProcess;

/**
 * Returns a function that starts workers on a port.
 *
 * @throws {Error} If processes cannot share a port here.
 */
export async function forker(port: number): Promise<Fork> {
  const start =
    await (process.versions.deno === undefined ? nodeStart() : denoStart());
  return (number) =>
    toWorkerProcess(
      start({ API_PORT: `${port}`, [WORKER_VARIABLE]: `${number}` }),
    );
}

/**
 * Workers of Node accept connections from one socket. With the other policy, a
 * connection that is handed to a worker while it crashes is never closed.
 */
async function nodeStart(): Promise<StartProcess> {
  const { default: cluster } = await import("node:cluster");
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ stdio: ["ignore", "pipe", "pipe", "ipc"] });
  return (env) => cluster.fork(env).process;
}

/** Workers of Deno listen on the same port, which Linux shares out. */
async function denoStart(): Promise<StartProcess> {
  const { workerArguments } = await import("../server/deno.ts");
  const args = workerArguments();
  return (env) =>
    spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
}

function toWorkerProcess(child: ChildProcess) {
  copyLines(child.stdout!, process.stdout).catch(() => {});
  copyLines(child.stderr!, process.stderr).catch(() => {});
  return {
    pid: child.pid,
    send(message: ToWorker) {
      // The worker may end at any time.
      if (child.connected) child.send(message, () => {});
    },
    kill() {
      if (child.pid === undefined) return;
      try {
        process.kill(child.pid, "SIGKILL");
      } catch {
        // It has ended, although its output has not.
      }
    },
    onMessage(listener: (message: FromWorker) => void) {
      child.on("message", (message) => listener(message as FromWorker));
    },
    onEnd(listener: (reason: string) => void) {
      child.once("error", (error) => listener(error.message));
      child.once(
        "close",
        (code, signal) => listener(signal ?? `exit code ${code}`),
      );
    },
  };
}
