/** Where a Chromium is on this machine, and how a test starts it. */
import { existsSync } from "node:fs";
import process from "node:process";

/** Flags for a Chromium that a test starts: no window, and nobody is called. */
export const CHROMIUM_FLAGS: readonly string[] = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  // Containers give it too little of it.
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const USUAL_PLACES = [
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

/**
 * The path of a Chromium: the one that `CHROMIUM_PATH` names, else the first in
 * the usual places, else `undefined`.
 */
export function findChromium(): string | undefined {
  // A path that leads nowhere is not passed over: starting it tells of it.
  return process.env.CHROMIUM_PATH || USUAL_PLACES.find(existsSync);
}
