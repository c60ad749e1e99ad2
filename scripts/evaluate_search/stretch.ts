/** Numbers of a street that one CEP is for. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Numbers of both sides, or the even or odd ones. */
  readonly side: "both" | "even" | "odd";
}

const SIDES: Readonly<Record<string, Stretch["side"]>> = {
  A: "both",
  P: "even",
  I: "odd",
};

/** Last number of a street that has no last number. */
const END = 99_999;

/**
 * Reads a row of LOG_NUM_SEC; `undefined` for kilometres, and for sides that the
 * number does not tell.
 */
export function parseSection(
  row: { SEC_NU_INI: string; SEC_NU_FIM: string; SEC_IN_LADO: string },
): Stretch | undefined {
  const side = SIDES[row.SEC_IN_LADO];
  const [from, to] = [row.SEC_NU_INI, row.SEC_NU_FIM];
  if (side === undefined || !/^\d+$/.test(from) || !/^\d+$/.test(to)) {
    return undefined;
  }
  return { from: Number(from), to: Number(to), side };
}

// "- até 697 - lado ímpar", "- de 4121/4122 a 7799/7800", "- lado par"
const COMPLEMENT =
  /^- ((de (?<from>\d+)(\/\d+)? )?((até|a) (\d+\/)?(?<to>\d+)|ao fim))?( - )?(lado (?<side>ímpar|par))?$/;

/** Reads the same from LOG_COMPLEMENTO; `undefined` if it has other text. */
export function parseComplement(text: string): Stretch | undefined {
  const { groups } = COMPLEMENT.exec(text.trim()) ?? {};
  if (groups === undefined) return undefined;
  const { from = "1", to = END, side } = groups;
  return {
    from: Number(from),
    to: Number(to),
    side: side === "par" ? "even" : side === "ímpar" ? "odd" : "both",
  };
}

/** True if a number is on a stretch. */
export function contains(
  stretch: Stretch | undefined,
  number: number,
): boolean {
  if (stretch === undefined) return false;
  const { from, to, side } = stretch;
  return from <= number && number <= to &&
    (side === "both" || number % 2 === (side === "odd" ? 1 : 0));
}

/** Returns a number of the stretch, below a thousand after its first. */
export function numberIn(
  { from, to, side }: Stretch,
  random: { int(limit: number): number },
): number {
  const last = Math.min(to, from + 1000);
  const number = from + random.int(last - from + 1);
  if (side === "both" || number % 2 === (side === "odd" ? 1 : 0)) return number;
  return number < last ? number + 1 : number - 1;
}
