import { resolve } from "node:path";
import process from "node:process";
import { ROOT } from "../../scripts/root.ts";

/**
 * Returns an absolute path in the folder for downloads, set by
 * `DOWNLOADS_PATH`.
 */
export function downloadsPath(name: string): string {
  return resolve(ROOT, process.env["DOWNLOADS_PATH"] ?? "downloads", name);
}
