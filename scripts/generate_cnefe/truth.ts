/**
 * Count of the generated addresses, by the rules for readers of the CNEFE: the
 * oracle of tests.
 */
import type { Kind } from "./codes.ts";
import { type Address, joinStreet } from "./spelling.ts";

/** Facts about a CEP of the generated CNEFE. */
export interface CodeFacts {
  /** Eight digits. */
  readonly cep: string;
  /** Relation to the DNE, `wrong` for a mistaken CEP. */
  readonly kind: Kind | "wrong";
  /** IBGE code of the municipality with most addresses. */
  readonly ibge: string;
  /** Addresses in this municipality. */
  readonly addresses: number;
  /**
   * Type, title and name of the street with most of these addresses, `""` if
   * no street has a name.
   */
  readonly street: string;
  /** Addresses on this street. */
  readonly streetAddresses: number;
  /** Number of named streets. */
  readonly streets: number;
  /** Another municipality or street has as many addresses. */
  readonly isTie: boolean;
}

/** Totals. */
export interface Totals {
  /** Rows without the headers. */
  rows: number;
  /** Addresses, of which some have several rows. */
  addresses: number;
  /** Addresses with a CEP other than that of their street. */
  wrongCeps: number;
  /** Those of them whose CEP is below the first one of Brazil. */
  unusableCeps: number;
  /** Addresses without a building number. */
  withoutNumber: number;
}

interface Municipality {
  addresses: number;
  readonly streets: Map<string, number>;
}

const FIRST_CEP = "01000000";

/** Counts addresses. */
export class Truth {
  readonly totals: Totals = {
    rows: 0,
    addresses: 0,
    wrongCeps: 0,
    unusableCeps: 0,
    withoutNumber: 0,
  };
  /** CEPs of streets that only the DNE has. */
  readonly missing: string[] = [];
  readonly #kinds = new Map<string, Kind>();
  readonly #codes = new Map<string, Map<string, Municipality>>();

  /** Adds a CEP that is not mistaken. */
  addCode(cep: string, kind: Kind): void {
    this.#kinds.set(cep, kind);
  }

  /** Adds an address, and the CEP that its street really has. */
  add({ cep, ibge, street, number }: Address, right: string): void {
    this.totals.addresses++;
    if (cep !== right) this.totals.wrongCeps++;
    if (number === 0) this.totals.withoutNumber++;
    if (cep < FIRST_CEP) {
      this.totals.unusableCeps++;
      return;
    }
    let code = this.#codes.get(cep);
    if (code === undefined) this.#codes.set(cep, code = new Map());
    let municipality = code.get(ibge);
    if (municipality === undefined) {
      code.set(ibge, municipality = { addresses: 0, streets: new Map() });
    }
    municipality.addresses++;
    const name = joinStreet(street);
    const { streets } = municipality;
    if (name !== "") streets.set(name, (streets.get(name) ?? 0) + 1);
  }

  /** Returns the facts about each CEP, in order. */
  *codes(): Iterable<CodeFacts> {
    for (const cep of [...this.#codes.keys()].sort()) {
      const municipalities = this.#codes.get(cep)!;
      const [ibge, { addresses, streets }, isTie] = greatest(
        municipalities,
        (it) => it.addresses,
      )!;
      const street = greatest(streets, (count) => count);
      yield {
        cep,
        kind: this.#kinds.get(cep) ?? "wrong",
        ibge,
        addresses,
        street: street?.[0] ?? "",
        streetAddresses: street?.[1] ?? 0,
        streets: streets.size,
        isTie: isTie || street !== undefined && street[2],
      };
    }
  }

  /** Returns a table with a row for each CEP. */
  *lines(): Iterable<string> {
    yield "cep;kind;ibge;addresses;street;street_addresses;streets;tie\n";
    for (const it of this.codes()) {
      yield `${it.cep};${it.kind};${it.ibge};${it.addresses};${it.street};` +
        `${it.streetAddresses};${it.streets};${it.isTie ? 1 : 0}\n`;
    }
  }
}

/** Returns the entry with the greatest value, and its being as great as another. */
function greatest<V>(
  values: ReadonlyMap<string, V>,
  weigh: (value: V) => number,
): [key: string, value: V, isTie: boolean] | undefined {
  let found: [string, V, boolean] | undefined;
  for (const [key, value] of values) {
    if (found === undefined || weigh(value) > weigh(found[1])) {
      found = [key, value, false];
    } else if (weigh(value) === weigh(found[1])) found[2] = true;
  }
  return found;
}
