/**
 * Compares two texts in a time that depends on their lengths only, so that an
 * attacker cannot guess a secret character by character.
 */
export function isSameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) {
    // Beyond the end of `b`, NaN counts as 0; the lengths differ then.
    difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  }
  return difference === 0;
}
