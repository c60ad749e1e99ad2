import type { Address } from "../../record/address.ts";
import type { Reader, Release } from "../../store/store.ts";

/** Address in the examples of the page. */
export interface ExampleAddress {
  /** Eight digits. */
  readonly cep: string;
  /** CEP of another record. */
  readonly otherCep: string;
  /** Words to search for. */
  readonly words: string;
  /** Address in one line. */
  readonly text: string;
  /** IBGE code of its municipality. */
  readonly ibge: string;
  /** Degrees, `""` without a place. */
  readonly latitude: string;
  /** Degrees, `""` without a place. */
  readonly longitude: string;
}

/** Address of data with São Paulo, and before an import. */
export const WELL_KNOWN: ExampleAddress = {
  cep: "01310100",
  otherCep: "20040020",
  words: "avenida paulista 1578",
  text: "Av. Paulista 1578, Bela Vista, São Paulo/SP",
  ibge: "3550308",
  latitude: "-23.5617",
  longitude: "-46.6560",
};

/** Number of first records among which an address is chosen. */
const CANDIDATES = 100;

/** Addresses of the examples, found once for each release. */
export class ExampleFinder {
  readonly #store: Pick<Reader, "findJson" | "list">;
  #release: number | string | undefined;
  #found: Promise<ExampleAddress> | undefined;

  constructor(store: Pick<Reader, "findJson" | "list">) {
    this.#store = store;
  }

  /**
   * Finds an address of a release: the well-known one, otherwise the first
   * record with a street and a neighbourhood.
   */
  async find({ id, sources }: Release): Promise<ExampleAddress> {
    if (this.#release !== id || this.#found === undefined) {
      this.#release = id;
      this.#found = this.#choose(sources.includes("cnefe"));
    }
    const found = this.#found;
    try {
      return await found;
    } catch {
      // The page explains that the data cannot be read; the next one asks again.
      if (this.#found === found) this.#found = undefined;
      return WELL_KNOWN;
    }
  }

  async #choose(hasCensus: boolean): Promise<ExampleAddress> {
    const { cep } = WELL_KNOWN;
    if (await this.#store.findJson(cep) !== undefined) return WELL_KNOWN;
    const { data } = await this.#store.list("", CANDIDATES);
    const best =
      data.find(({ logradouro, bairro, latitude }) =>
        logradouro !== "" && bairro !== "" &&
        (latitude !== undefined || !hasCensus)
      ) ?? data.find(({ logradouro }) => logradouro !== "") ?? data[0];
    return best === undefined ? WELL_KNOWN : exampleOf(best, data);
  }
}

function exampleOf(
  record: Address,
  others: readonly Address[],
): ExampleAddress {
  const { cep, logradouro, bairro, cidade, uf } = record;
  const other = others.find((it) => it.cep !== cep) ?? record;
  return {
    cep,
    otherCep: other.cep,
    words: [logradouro, cidade].filter(Boolean).join(" ").toLowerCase(),
    text: [logradouro, bairro, `${cidade}/${uf}`].filter(Boolean).join(", "),
    ibge: record.codigo_ibge,
    latitude: `${record.latitude ?? ""}`,
    longitude: `${record.longitude ?? ""}`,
  };
}
