import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isLoopback } from "../../util/loopback.ts";
import { MANIFEST_NAME } from "./manifest.ts";

/** Address of a manifest. */
export interface ManifestAddress {
  /** URL with the scheme `https`, `http` or `file`. */
  readonly url: URL;
  /** Address for logs: without the query string, which may be signed. */
  readonly shown: string;
}

/**
 * Parses the address of a manifest or of its folder; `undefined` for an address
 * that is not allowed.
 */
export function parseManifestAddress(
  text: string,
): ManifestAddress | undefined {
  const url = isAddress(text) ? URL.parse(text) : pathToUrl(text);
  if (url === null || !isAllowed(url)) return undefined;
  url.hash = "";
  if (!url.pathname.endsWith(".json")) {
    url.pathname = `${url.pathname.replace(/\/+$/, "")}/${MANIFEST_NAME}`;
  }
  return { url, shown: withoutQuery(url) };
}

/** Returns the address of a file in the folder of a manifest. */
export function besideManifest(manifest: URL, name: string): URL {
  const url = new URL(name, manifest);
  // A signature may hold for the whole folder.
  url.search = manifest.search;
  return url;
}

/**
 * Returns true if releases may be taken from an address. Over plain HTTP,
 * anyone on the way could replace the file together with its SHA-256.
 */
export function isAllowed(url: URL): boolean {
  if (url.username !== "" || url.password !== "") return false;
  switch (url.protocol) {
    case "https:":
      return true;
    case "http:":
      return isLoopback(url.hostname);
    case "file:":
      return url.hostname === "" && isPath(url);
    default:
      return false;
  }
}

/** Returns a URL as a text without its query string. */
export function withoutQuery(url: URL): string {
  if (url.protocol === "file:") return fileURLToPath(url);
  return `${url.origin}${url.pathname}`;
}

/** Removes the query strings of all URLs in a text, which may be signed. */
export function withoutQueries(text: string): string {
  // Up to the next space, because a query string may contain any other character.
  return text.replace(/\b([a-z][a-z\d+.-]*:\/\/[^\s?#]*)[?#]\S*/gi, "$1");
}

/** Distinguishes an address from a path, also of Windows: `C:\releases`. */
function isAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(text);
}

function pathToUrl(path: string): URL | null {
  return path.includes("\0") ? null : pathToFileURL(resolve(path));
}

function isPath(url: URL): boolean {
  try {
    return !fileURLToPath(url).includes("\0");
  } catch {
    return false; // An encoded slash.
  }
}
