/** What the import map calls npm packages, as npm calls it. */

const TARGET = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@([^/]+)(\/.*)?$/;

/** `name/file.js` of `npm:name@^1.0.0/file.js`. */
export function npmName(target: string): string {
  return target.replace(TARGET, (_, name, _range, path = "") => name + path);
}

/** `name@^1.0.0` of `npm:name@^1.0.0/file.js`. */
export function npmRange(target: string): string {
  return target.replace(TARGET, "$1@$2");
}
