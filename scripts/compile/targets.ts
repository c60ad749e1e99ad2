/** The systems that the single binary is built for. */

/** Every system, by the name that Deno gives it. */
export const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
] as const;

/** One of them. */
export type Target = (typeof TARGETS)[number];

/**
 * Reads the name of a target.
 *
 * @throws {TypeError} If no binary is built for it.
 */
export function parseTarget(text: string): Target {
  const target = TARGETS.find((it) => it === text);
  if (target !== undefined) return target;
  throw new TypeError(
    `Cannot compile for "${text}": the targets are ${TARGETS.join(", ")}`,
  );
}
