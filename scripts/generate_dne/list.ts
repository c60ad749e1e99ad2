/** Splits a text at its commas and at line breaks after them. */
export function list(text: string): string[] {
  return text.trim().split(/,\s+/);
}
