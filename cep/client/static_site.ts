import type { Address } from "../record/address.ts";
import {
  type Manifest,
  MANIFEST_PATH,
  municipalitiesPath,
  municipalityPath,
  type PrefixFile,
  prefixPath,
  SITE_VERSION,
  STATES_PATH,
} from "../export/static/layout.ts";
import {
  findInPrefixFile,
  PREFIX_DIGITS,
  PrefixSet,
} from "../export/static/prefixes.ts";
import { toAddressOf, toObject, wrong } from "./answers.ts";
import type { BaseUrl, Parameters } from "./base_url.ts";
import { CepError } from "./error.ts";
import type { CallOptions, Clock } from "./options.ts";
import type { Source } from "./source.ts";
import type { Transport } from "./transport.ts";

/** Milliseconds for which a manifest is used. */
const MANIFEST_MS = 5 * 60 * 1000;

/** Number of files of a batch that are requested at the same time. */
const PARALLEL = 6;

/** Folder of a static export. */
export class StaticSite implements Source {
  readonly #transport: Transport;
  readonly #base: BaseUrl;
  readonly #clock: Clock;
  #prefixes: { readonly set: PrefixSet; readonly until: number } | undefined;

  /** Creates a static site. */
  constructor(transport: Transport, base: BaseUrl, clock: Clock) {
    this.#transport = transport;
    this.#base = base;
    this.#clock = clock;
  }

  async lookup(cep: string, options: CallOptions): Promise<Address> {
    const file = await this.#readPrefix(cep.slice(0, PREFIX_DIGITS), options);
    const found = file && findInPrefixFile(file, cep);
    if (found === undefined) throw notFound();
    return toAddressOf(cep, found);
  }

  async batch(
    ceps: readonly string[],
    options: CallOptions,
  ): Promise<(Address | CepError)[]> {
    const prefixes = new Set(ceps.map((cep) => cep.slice(0, PREFIX_DIGITS)));
    const files = new Map<string, PrefixFile | undefined>();
    const open = prefixes.values();
    const readAll = async () => {
      for (const prefix of open) {
        files.set(prefix, await this.#readPrefix(prefix, options));
      }
    };
    // The manifest is read once.
    await this.#readPrefixes(options);
    await Promise.all(Array.from({ length: PARALLEL }, readAll));
    return ceps.map((cep) => {
      const file = files.get(cep.slice(0, PREFIX_DIGITS));
      const found = file && findInPrefixFile(file, cep);
      return found === undefined ? notFound() : toAddressOf(cep, found);
    });
  }

  async get(
    path: readonly string[],
    _parameters: Parameters,
    options: CallOptions,
  ): Promise<unknown> {
    const file = locatePlace(path);
    if (file === undefined) throw unsupported(path);
    try {
      const content = await this.#read(file.path, options);
      return file.member === undefined
        ? content
        : toObject(content)[file.member];
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new CepError(
        "place_not_found",
        "Estado ou município não encontrado.",
        { cause: error },
      );
    }
  }

  post(path: readonly string[]): Promise<never> {
    return Promise.reject(unsupported(path));
  }

  /** Reads the file of a prefix, `undefined` if the site has none. */
  async #readPrefix(
    prefix: string,
    options: CallOptions,
  ): Promise<PrefixFile | undefined> {
    const known = await this.#readPrefixes(options);
    if (!known.has(prefix)) return undefined;
    try {
      return toPrefixFile(await this.#read(prefixPath(prefix), options));
    } catch (error) {
      if (!isMissing(error)) throw error;
      // A new release may have removed it.
      const present = await this.#readPrefixes(options, { again: true });
      if (!present.has(prefix)) return undefined;
      throw error;
    }
  }

  /** Reads the prefixes that have a file. */
  async #readPrefixes(
    options: CallOptions,
    { again = false } = {},
  ): Promise<PrefixSet> {
    const now = this.#clock.now();
    if (!again && this.#prefixes && now < this.#prefixes.until) {
      return this.#prefixes.set;
    }
    const set = toPrefixSet(await this.#read(MANIFEST_PATH, options));
    this.#prefixes = { set, until: now + MANIFEST_MS };
    return set;
  }

  #read(path: string, { signal }: CallOptions): Promise<unknown> {
    const url = this.#base.of(path.split("/"));
    return this.#transport.request({ url, signal });
  }
}

/** Returns the file, and its member, with the answer to a path of the API. */
function locatePlace(
  [first, key = "", last]: readonly string[],
): { path: string; member?: string } | undefined {
  if (first === "estados") {
    return { path: key === "" ? STATES_PATH : municipalitiesPath(key) };
  }
  if (first !== "municipios") return undefined;
  return { path: municipalityPath(key), member: last ?? "municipio" };
}

/** True if a site has no file at a path; some hosts then return 403. */
function isMissing(error: unknown): boolean {
  return error instanceof CepError && [403, 404, 410].includes(error.status!);
}

function toPrefixSet(value: unknown): PrefixSet {
  const { formato, prefixos } = toObject<Partial<Manifest>>(value);
  if (formato !== SITE_VERSION) {
    throw wrong(
      `the version of the static site is ${formato}, not ${SITE_VERSION}`,
    );
  }
  const set = PrefixSet.parse(`${prefixos}`);
  if (set === undefined) throw wrong("the manifest has no list of prefixes");
  return set;
}

function toPrefixFile(value: unknown): PrefixFile {
  const { padrao, ceps } = toObject<Partial<PrefixFile>>(value);
  toObject(padrao);
  for (const record of Object.values(toObject(ceps))) toObject(record);
  return value as PrefixFile;
}

function notFound(): CepError {
  return new CepError("cep_not_found", "CEP não encontrado.");
}

function unsupported(path: readonly string[]): CepError {
  return new CepError(
    "unsupported",
    `Cannot answer "/${path.join("/")}" from a static site: it needs a ` +
      "server (option baseUrl)",
  );
}
