/** Chromium of this machine, and the flags of tests for it. */
import { existsSync } from "node:fs";
import process from "node:process";

/** Flags for a Chromium without a window and without background requests. */
export const CHROMIUM_FLAGS: readonly string[] = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  // Shared memory is scarce in containers.
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const USUAL_PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/** Path in `CHROMIUM_PATH`, otherwise the first usual path with a Chromium. */
export function findChromium(): string | undefined {
  // A wrong CHROMIUM_PATH is kept, so that starting the browser reports it.
  return process.env.CHROMIUM_PATH || USUAL_PATHS.find(existsSync);
}
