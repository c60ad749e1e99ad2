import type { Config } from "../../settings/config.ts";
import type { Route } from "../exchange.ts";
import { brasilApi } from "./brasil_api.ts";
import { openCep } from "./open_cep.ts";
import { viacep, type ViaCepOptions } from "./viacep.ts";
import { type AddressSearch, viacepSearch } from "./viacep_search.ts";

/** Options of {@linkcode compatible}. */
export interface CompatibleOptions
  extends ViaCepOptions, Pick<Config, "compatibility" | "search"> {
  /** Store of the records. */
  readonly store: ViaCepOptions["store"] & AddressSearch;
}

/** Functions that create the routes of a service, by its name. */
const SERVICES: Readonly<
  Record<
    Config["compatibility"][number],
    (options: CompatibleOptions) => Route[]
  >
> = {
  viacep: (options) => [
    ...viacep(options),
    ...(options.search ? viacepSearch(options) : []),
  ],
  brasilapi: brasilApi,
  opencep: openCep,
};

/** Creates the routes of the services that the settings name. */
export function compatible(options: CompatibleOptions): Route[] {
  return Object.entries(SERVICES).flatMap(([name, create]) =>
    options.compatibility.some((it) => it === name) ? create(options) : []
  );
}
