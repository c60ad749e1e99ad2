/**
 * File of a state: the addresses of its CEPs, mixed in short runs as the
 * enumerators of the census met them.
 */
import { Buffer } from "node:buffer";
import { apportion, Random } from "../generate_dne/random.ts";
import { Addresses, drawUse } from "./addresses.ts";
import type { Code } from "./codes.ts";
import { type Address, HEADER, toLine, type Use } from "./row.ts";
import type { Truth } from "./truth.ts";

/** Options of {@linkcode stateRows}. */
export interface StateFileOptions {
  readonly rows: number;
  readonly seed: number;
  readonly uf: string;
  readonly lineEnd: "\n" | "\r\n";
  /** Returns the next COD_UNICO_ENDERECO. */
  readonly nextId: () => number;
  readonly truth: Truth | undefined;
}

const CODES_A_WINDOW = 64;
const ROWS_A_RUN = 12;
const CHUNK_LENGTH = 1 << 20;
const FURTHER_USE_PERCENT = 1;

/** Generates the bytes of a file, in chunks of about 1 MiB. */
export function* stateRows(
  codes: readonly Code[],
  options: StateFileOptions,
): Iterable<Uint8Array<ArrayBuffer>> {
  const { rows, seed, uf, lineEnd, truth } = options;
  const random = new Random(seed, `${uf} census rows`);
  const counts = apportion(rows, codes.map(({ weight }) => weight), 1);
  for (const { cep, kind } of codes) truth?.addCode(cep, kind);
  let text = HEADER + lineEnd;
  for (let first = 0; first < codes.length; first += CODES_A_WINDOW) {
    const window = codes.slice(first, first + CODES_A_WINDOW)
      .map((code, i) => new Addresses(code, counts[first + i]!));
    for (const [addresses, start] of runsOf(window, random)) {
      const end = Math.min(start + ROWS_A_RUN, addresses.count);
      let before: Address | undefined;
      let use: Use | undefined;
      for (let i = start; i < end; i++) {
        if (before && use && random.chance(FURTHER_USE_PERCENT)) {
          use = furtherUse(use, random);
        } else {
          before = addresses.at(i, options.nextId(), random);
          use = drawUse(random);
          truth?.add(before, addresses.code.cep);
        }
        if (truth !== undefined) truth.totals.rows++;
        text += toLine(before, use) + lineEnd;
        if (text.length >= CHUNK_LENGTH) {
          yield Buffer.from(text, "latin1");
          text = "";
        }
      }
    }
  }
  yield Buffer.from(text, "latin1");
}

/** Returns short runs of the addresses of all CEPs, mixed. */
function runsOf(
  window: readonly Addresses[],
  random: Random,
): [Addresses, number][] {
  const runs: [Addresses, number][] = [];
  for (const addresses of window) {
    for (let start = 0; start < addresses.count; start += ROWS_A_RUN) {
      runs.push([addresses, start]);
    }
  }
  return random.shuffle(runs, runs.length);
}

/** Draws a use of another kind. */
function furtherUse(before: Use, random: Random): Use {
  let use = drawUse(random);
  while (use.kind === before.kind) use = drawUse(random);
  return use;
}
