import type { Address } from "@carteiro/cep";
import { createHandler } from "@carteiro/cep/handler";
import type { Store } from "@carteiro/cep/store";
import type { AddressBody } from "./question.ts";

/** Answer of `POST /enderecos`, as far as the evaluation reads it. */
export interface Match {
  readonly cep: string | null;
  readonly pontuacao: number;
}

/** Results of a search that count. */
export const LIMIT = 10;

/** Handler of a store, without a socket. */
export class Service {
  readonly #handler: (request: Request) => Response | Promise<Response>;

  constructor(store: Store) {
    const config = { rateLimit: false, gzip: false };
    this.#handler = createHandler({ store, config });
  }

  /** Searches. */
  async search(
    query: Readonly<Record<string, string>>,
  ): Promise<readonly Address[]> {
    const parameters = new URLSearchParams({ ...query, limite: `${LIMIT}` });
    const { data } = await this.#ask(`/busca?${parameters}`);
    return data as readonly Address[];
  }

  /** Sends an address; returns the text of the answer. */
  async match(body: AddressBody): Promise<string> {
    const response = await this.#handler(
      new Request("http://localhost/enderecos", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    return await response.text();
  }

  /** Sends addresses as lines; returns the lines of the answer. */
  async matchLines(bodies: readonly AddressBody[]): Promise<string[]> {
    const response = await this.#handler(
      new Request("http://localhost/enderecos", {
        method: "POST",
        headers: { "content-type": "application/x-ndjson" },
        body: bodies.map((body) => `${JSON.stringify(body)}\n`).join(""),
      }),
    );
    return (await response.text()).trimEnd().split("\n");
  }

  async #ask(path: string): Promise<Record<string, unknown>> {
    const response = await this.#handler(
      new Request(`http://localhost${path}`),
    );
    const body = await response.json();
    if (response.ok) return body;
    throw new Error(`Cannot ask ${path}: ${JSON.stringify(body)}`);
  }
}

/** Reads an answer. */
export function readMatch(text: string): Match {
  const { cep = null, pontuacao = 0 } = JSON.parse(text);
  return { cep, pontuacao };
}
