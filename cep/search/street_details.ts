import { parseSection, type Side, type Unit } from "../record/street_number.ts";
import { Chains } from "./chains.ts";
import { Growing } from "../util/growing.ts";
import { STRETCH_KINDS } from "./index_layout.ts";

/** Details of streets, as columns of items that LOG_NU chains. */
export class StreetDetails {
  /** Alternative names: var_log. */
  readonly names = { byNumber: new Chains(), names: new Growing() };
  /** Stretches: num_sec. A kind is a position in {@linkcode STRETCH_KINDS}. */
  readonly sections = {
    byNumber: new Chains(),
    from: new Growing(),
    to: new Growing(),
    kinds: new Growing(),
  };

  /** Adds a name, unless the number of the street is unusable. */
  addName(number: string | number | undefined, findName: () => number): void {
    if (!isKey(number)) return;
    this.names.byNumber.add(number);
    this.names.names.push(findName());
  }

  /** Adds a row of LOG_NUM_SEC, unless a column of it is unusable. */
  addSection([number, first, last, side]: readonly string[]): void {
    const key = Number(number);
    const stretch = parseSection({ first: first!, last: last!, side: side! });
    if (stretch === undefined || !isKey(key)) return;
    const { byNumber, from, to, kinds } = this.sections;
    byNumber.add(key);
    from.push(stretch.from);
    to.push(stretch.to);
    kinds.push(kindOf(stretch.side, stretch.unit));
  }

  /** Frees the details. */
  free(): void {
    for (const column of Object.values(this.sections)) column.free();
    for (const column of Object.values(this.names)) column.free();
  }
}

/** True for a number of {@linkcode Chains}, as every one in a DNE is. */
function isKey(number: string | number | undefined): number is number {
  return number === Number(number) >>> 0;
}

/** Returns the position of a side and a unit in {@linkcode STRETCH_KINDS}. */
export function kindOf(side: Side, unit: Unit): number {
  return STRETCH_KINDS.indexOf(`${side} ${unit}`);
}
