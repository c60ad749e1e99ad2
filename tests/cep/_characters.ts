/**
 * Arbitrary characters, because the units of fast-check take a second to build.
 */
import fc from "fast-check";

/** Characters of ISO-8859-1. */
export const LATIN1 = fc.integer({ min: 0, max: 0xFF })
  .map((code) => String.fromCharCode(code));

/** UTF-16 code units, including lone surrogates. */
export const CODE_UNIT = fc.integer({ min: 0, max: 0xFFFF })
  .map((code) => String.fromCharCode(code));

/** Characters of Unicode, without surrogates. */
export const CODE_POINT = fc.oneof(
  LATIN1,
  CODE_UNIT.filter((unit) => unit.isWellFormed()),
  fc.integer({ min: 0x1_0000, max: 0x10_FFFF })
    .map((code) => String.fromCodePoint(code)),
);
