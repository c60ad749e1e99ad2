import { STATES } from "../../record/address.ts";
import { RejectedRow } from "./layout.ts";

const STATE_NAMES: ReadonlySet<string> = new Set(STATES);

const EIGHT_DIGITS = /^\d{8}$/;

/**
 * Checks the abbreviation of a state.
 *
 * @throws {RejectedRow} If there is no such state.
 */
export function toState(text: string): string {
  if (!STATE_NAMES.has(text)) throw new RejectedRow("unknown state", text);
  return text;
}

/**
 * Parses up to eight digits, in a loop because each row has three numbers.
 *
 * @throws {RejectedRow} For any other text.
 */
export function toNumber(text: string): number {
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) throw new RejectedRow("unusable number", text);
    number = number * 10 + digit;
  }
  if (text === "" || text.length > 8) {
    throw new RejectedRow("unusable number", text);
  }
  return number;
}

/**
 * Checks a CEP. Pads one whose leading zero a spreadsheet dropped, if its state
 * has such CEPs.
 *
 * @param hasZeros Called for seven digits; true if the state has such CEPs.
 * @param onPadded Called if the CEP was padded.
 * @throws {RejectedRow} If it is not a CEP.
 */
export function toCep(
  text: string,
  hasZeros: () => boolean,
  onPadded: () => void,
): string {
  if (EIGHT_DIGITS.test(text)) return text;
  if (!/^\d{7}$/.test(text) || !hasZeros()) {
    throw new RejectedRow("unusable CEP", text);
  }
  onPadded();
  return `0${text}`;
}
