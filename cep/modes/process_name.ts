import { hostname } from "node:os";
import process from "node:process";

/** Returns the name of this process, for another import that must wait. */
export function processName(): string {
  const now = new Date().toISOString();
  return `process ${process.pid} on ${hostname()}, since ${now}`;
}
