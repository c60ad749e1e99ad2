import type { Address } from "../record/address.ts";
import { toAddressOf, toObject, wrong } from "./answers.ts";
import type { BaseUrl, Parameters } from "./base_url.ts";
import { CepError } from "./error.ts";
import type { CallOptions } from "./options.ts";
import type { Source } from "./source.ts";
import type { Transport } from "./transport.ts";

/** Server of the API. */
export class Server implements Source {
  readonly #transport: Transport;
  readonly #base: BaseUrl;

  /** Creates a server. */
  constructor(transport: Transport, base: BaseUrl) {
    this.#transport = transport;
    this.#base = base;
  }

  async lookup(cep: string, options: CallOptions): Promise<Address> {
    return toAddressOf(cep, await this.get(["cep", cep], {}, options));
  }

  async batch(
    ceps: readonly string[],
    options: CallOptions,
  ): Promise<(Address | CepError)[]> {
    const items = await this.post(["ceps"], ceps, options);
    if (!Array.isArray(items) || items.length !== ceps.length) {
      throw wrong(`it does not have ${ceps.length} results`);
    }
    return items.map((item, i) => toResult(ceps[i]!, item));
  }

  get(
    path: readonly string[],
    parameters: Parameters,
    { signal }: CallOptions,
  ): Promise<unknown> {
    const url = this.#base.of(path, parameters);
    return this.#transport.request({ url, signal });
  }

  post(
    path: readonly string[],
    body: unknown,
    { signal }: CallOptions,
  ): Promise<unknown> {
    const url = this.#base.of(path);
    return this.#transport.request({ url, body, signal });
  }
}

function toResult(cep: string, item: unknown): Address | CepError {
  const value = toObject(item);
  const { error, code } = value;
  return typeof error === "string" && typeof code === "string"
    ? new CepError(code, error, { details: value })
    : toAddressOf(cep, value);
}
