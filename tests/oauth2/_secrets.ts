/** Secrets of tests, which nothing must show. */
import { assert, assertEquals } from "@std/assert";

const SECRETS = ["hush-hush", "monkey123", "rhesus456", "private789"];

/** Fails if a text contains a secret. */
export function assertHidden(text: string): void {
  assertEquals(SECRETS.filter((secret) => text.includes(secret)), [], text);
  assert(!text.includes(btoa("abc:hush-hush")), text);
}
