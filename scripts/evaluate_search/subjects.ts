import type { Address } from "@carteiro/cep";
import type { Store } from "@carteiro/cep/store";
import { parseRow } from "@carteiro/cep/dne";
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Random } from "../generate_dne/random.ts";
import { parseComplement, parseSection, type Stretch } from "./stretch.ts";

/** Record to search for. */
export interface Subject {
  readonly record: Address;
  /** LOG_NO_ABREV, or `""`. */
  readonly shortName: string;
  /** Numbers that its CEP is for. */
  readonly stretch: Stretch | undefined;
}

/** Random records to search for. */
export interface Subjects {
  readonly streets: readonly Subject[];
  /** Streets with a CEP for some of their numbers. */
  readonly stretches: readonly Subject[];
  /** Records in a district or village. */
  readonly districts: readonly Subject[];
}

/** Line of a street file. */
interface Line {
  readonly number: string;
  readonly cep: string;
  readonly complement: string;
  readonly shortName: string;
}

/** Draws random records of a DNE that has been imported. */
export async function drawSubjects(
  directory: string,
  store: Store,
  { count, random }: { count: number; random: Random },
): Promise<Subjects> {
  const sections = new Map<string, Stretch>();
  for await (const line of linesOf(directory, /^LOG_NUM_SEC\.TXT$/i)) {
    const row = parseRow("LOG_NUM_SEC", line);
    const stretch = parseSection(row);
    if (stretch !== undefined) sections.set(row.LOG_NU, stretch);
  }
  const streets = new Sample<Line>(count, random);
  const stretches = new Sample<Line>(count, random);
  for await (const text of linesOf(directory, /^LOG_LOGRADOURO_..\.TXT$/i)) {
    const row = parseRow("LOG_LOGRADOURO", text);
    const line = {
      number: row.LOG_NU,
      cep: row.CEP,
      complement: row.LOG_COMPLEMENTO,
      shortName: row.LOG_NO_ABREV,
    };
    streets.offer(line);
    if (line.complement.startsWith("-")) stretches.offer(line);
  }
  const districts = new Sample<Address>(count, random);
  for await (const records of store.scan()) {
    for (const record of records) {
      if (record.distrito !== "") districts.offer(record);
    }
  }
  const toSubjects = async (lines: readonly Line[]) => {
    const subjects: Subject[] = [];
    for (const { number, cep, complement, shortName } of lines) {
      const record = await store.find(cep);
      // The record of another file may have precedence.
      if (record === undefined || !isStreet(record)) continue;
      const stretch = sections.get(number) ?? parseComplement(complement);
      subjects.push({ record, shortName, stretch });
    }
    return subjects;
  };
  return {
    streets: await toSubjects(streets.items),
    stretches: await toSubjects(stretches.items),
    districts: districts.items.map((record) => ({
      record,
      shortName: "",
      stretch: undefined,
    })),
  };
}

function isStreet({ tipo_origem, logradouro }: Address): boolean {
  return tipo_origem === "logradouro" ||
    tipo_origem === "cnefe" && logradouro !== "";
}

async function* linesOf(
  directory: string,
  pattern: RegExp,
): AsyncIterable<string> {
  for (const name of readdirSync(directory).sort()) {
    if (!pattern.test(name)) continue;
    const input = createReadStream(join(directory, name), "latin1");
    for await (const line of createInterface({ input })) {
      if (line !== "") yield line;
    }
  }
}

/** Sample of a stream, each item with the same probability. */
class Sample<T> {
  readonly items: T[] = [];
  #seen = 0;

  constructor(readonly size: number, readonly random: Random) {}

  offer(item: T): void {
    this.#seen++;
    if (this.items.length < this.size) this.items.push(item);
    else {
      const at = this.random.int(this.#seen);
      if (at < this.size) this.items[at] = item;
    }
  }
}
