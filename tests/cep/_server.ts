/**
 * What the tests of the serving half share: records, stores that hold them or
 * fail, a service over them, and servers in processes of their own.
 */
import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Address, Entry } from "../../cep/address.ts";
import type { Config } from "../../cep/config.ts";
import { createHandler } from "../../cep/handler.ts";
import type { ConnectionInfo, Exchange } from "../../cep/http/exchange.ts";
import { openStore, type Release, type Store } from "../../cep/store/mod.ts";
import { CapturingLogger } from "./_fixtures.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A record that is in order, but for the fields given. */
export function address(changes: Partial<Address> = {}): Address {
  return {
    cep: "01900001",
    logradouro: "Rua das Flores",
    complemento: "de 1 a 99 - lado ímpar",
    bairro: "Centro",
    distrito: "",
    cidade: "Vila Grande",
    uf: "SP",
    codigo_ibge: "3599901",
    tipo_logradouro: "Rua",
    tipo_origem: "logradouro",
    nome: "",
    nome_origem: "LOG_LOGRADOURO_SP.TXT",
    ...changes,
  };
}

/** Records of as many codes, one after another. */
export function addresses(
  first: number,
  count: number,
  changes: Partial<Address> = {},
): Address[] {
  return Array.from({ length: count }, (_, i) =>
    address({
      logradouro: `Rua ${i + 1} das Flores`,
      ...changes,
      cep: String(first + i).padStart(8, "0"),
    }));
}

/** Replaces the content of a store, as an import does. */
export async function publish(
  store: Store,
  records: readonly Address[],
): Promise<void> {
  const staging = await store.stage("test");
  await staging.addEntries(records.map((address, i): Entry => ({
    number: i + 1,
    locality: 1,
    neighbourhood: null,
    address,
  })));
  await staging.publish(
    { dneVersion: "26011", seededAt: "2026-01-02T03:04:05.000Z" },
    {},
  );
}

/** What {@linkcode fakeStore} says that it holds. */
export const RELEASE: Release = {
  id: 1,
  dneVersion: "26011",
  seededAt: "2026-01-02T03:04:05.000Z",
  totalCeps: 1,
  totalByState: { SP: 1 },
};

/** A store that fails whatever is asked of it, but for the methods given. */
export function fakeStore(methods: Partial<Store> = {}): Store {
  const refuse = (method: string) => () =>
    Promise.reject(new Error(`unexpected call of ${method}`));
  return {
    release: refuse("release"),
    find: refuse("find"),
    list: refuse("list"),
    stage: refuse("stage"),
    close: refuse("close"),
    ...methods,
  };
}

/** Options of {@linkcode Service.open}. */
export interface ServiceOptions {
  /** What the database holds, `undefined` for an empty one. */
  readonly records?: readonly Address[];
  /** A store that is used instead. */
  readonly store?: Store;
  readonly config?: Partial<Config>;
  readonly now?: () => number;
}

/** A request to a {@linkcode Service}. */
export interface Call extends RequestInit {
  /** Address of the client; without it the connection is not told. */
  readonly from?: string;
}

/** A handler with the store and the log behind it. */
export class Service implements AsyncDisposable {
  readonly logger = new CapturingLogger();
  readonly handler: (
    request: Request,
    info?: ConnectionInfo,
  ) => Promise<Response>;
  readonly #owned: boolean;

  private constructor(
    readonly store: Store,
    { store: given, config = {}, now }: ServiceOptions,
  ) {
    this.#owned = given === undefined;
    this.handler = createHandler({
      store,
      config,
      logger: this.logger,
      build: { version: "1.2.3", commit: "abc", repo: "http://example.test" },
      ...(now && { now }),
    });
  }

  static async open(options: ServiceOptions = {}): Promise<Service> {
    const store = options.store ?? await openStore({ path: ":memory:" });
    if (options.records) await publish(store, options.records);
    return new Service(store, options);
  }

  /** Asks for a path. */
  ask(path: string, { from, ...init }: Call = {}): Promise<Response> {
    const request = new Request(`http://localhost${path}`, init);
    return this.handler(request, from === undefined ? undefined : info(from));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#owned) await this.store.close();
  }
}

/** A connection from an address. */
export function info(hostname: string): ConnectionInfo {
  return { remoteAddr: { transport: "tcp", hostname } };
}

/** An exchange that is in order, but for the members given. */
export function exchange(changes: Partial<Exchange> = {}): Exchange {
  return {
    request: new Request("http://localhost/"),
    path: "/",
    query: "",
    info: undefined,
    route: { pattern: "/", handle: () => Promise.resolve({ status: 204 }) },
    param: "",
    headers: {},
    id: "",
    ...changes,
  };
}

/** The items of a header that is a list. */
export function items(response: Response, name: string): string[] {
  const value = response.headers.get(name) ?? "";
  return value.split(",").map((item) => item.trim()).filter(Boolean);
}

/** The compressed bytes as they were before. */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const plain = new Blob([bytes]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return await new Response(plain).text();
}

/** Fails if something does not come about for a long time. */
export async function within<T>(what: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`Timed out: ${what}`)),
    15_000,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

const HEAD_END = "\r\n\r\n";

/** A connection that is kept, and whose bytes are looked at one by one. */
export class Connection implements Disposable {
  #received = new Uint8Array();

  private constructor(readonly socket: Deno.TcpConn) {}

  static async open(port: number): Promise<Connection> {
    return new Connection(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  /** Sends text as it stands, a character a byte. */
  async send(text: string): Promise<void> {
    let rest = Uint8Array.from(text, (it) => it.charCodeAt(0));
    while (rest.length > 0) {
      rest = rest.subarray(await this.socket.write(rest));
    }
  }

  /**
   * Asks for a path and keeps the connection.
   *
   * @returns `undefined` if the server closed it before the answer began.
   * @throws If it closed it in the middle of the answer.
   */
  async get(path: string): Promise<WireAnswer | undefined> {
    try {
      await this.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    } catch (error) {
      if (!isClosed(error)) throw error;
    }
    return await this.receive();
  }

  /** The next answer, which must tell its length. */
  async receive(): Promise<WireAnswer | undefined> {
    let end = -1;
    while ((end = this.#text().indexOf(HEAD_END)) < 0) {
      if (await this.#more()) continue;
      if (this.#received.length === 0) return undefined;
      throw new Error(`Answer cut in its head: ${this.#text()}`);
    }
    const [first = "", ...lines] = this.#text().slice(0, end).split("\r\n");
    const headers = new Headers(lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }));
    const start = end + HEAD_END.length;
    const last = start + Number(headers.get("content-length"));
    while (this.#received.length < last) {
      if (await this.#more()) continue;
      throw new Error(`Answer cut after ${this.#received.length} of ${last}`);
    }
    const body = this.#received.slice(start, last);
    this.#received = this.#received.slice(last);
    return { status: Number(first.split(" ")[1]), headers, body };
  }

  /** Everything until the server closes. */
  async drain(): Promise<string> {
    while (await this.#more());
    return this.#text();
  }

  #text(): string {
    return new TextDecoder("latin1").decode(this.#received);
  }

  async #more(): Promise<boolean> {
    const chunk = new Uint8Array(65_536);
    const length = await this.socket.read(chunk).catch((error) => {
      if (isClosed(error)) return null;
      throw error;
    });
    if (length === null) return false;
    const joined = new Uint8Array(this.#received.length + length);
    joined.set(this.#received);
    joined.set(chunk.subarray(0, length), this.#received.length);
    this.#received = joined;
    return true;
  }

  [Symbol.dispose](): void {
    this.socket.close();
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BrokenPipe;
}

type Environment = Readonly<Record<string, string>>;

/** A line of the log. */
export interface LogLine {
  readonly message: string;
  readonly level: string;
  readonly [property: string]: unknown;
}

/** How a process ended. */
export interface Ended {
  readonly code: number;
  readonly signal: string | null;
  readonly stderr: string;
}

/** A process whose output is a log of JSON lines. */
export class Process implements AsyncDisposable {
  readonly lines: LogLine[] = [];
  readonly ended: Promise<Ended>;
  readonly #child: Deno.ChildProcess;
  readonly #waiting = new Map<string, (line: LogLine) => void>();

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.ended = this.#watch();
  }

  /** Runs the program. */
  static main(env: Environment, ...args: string[]): Process {
    return Process.#spawn(["run", "-A", join(ROOT, "cep/main.ts"), ...args], {
      API_HOST: "127.0.0.1",
      API_PORT: "0",
      ...env,
    });
  }

  /** Runs lines of code that import from `cep`. */
  static script(code: string): Process {
    const from = new URL("../../cep/", import.meta.url);
    return Process.#spawn(["eval", code.replaceAll("cep:", from.href)], {});
  }

  static #spawn(args: string[], env: Environment): Process {
    return new Process(
      new Deno.Command(Deno.execPath(), {
        args,
        cwd: ROOT,
        clearEnv: true,
        env: { ...ownEnvironment(), ...env },
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    );
  }

  async #watch(): Promise<Ended> {
    const [{ code, signal }, stderr] = await Promise.all([
      this.#child.status,
      new Response(this.#child.stderr).text(),
      this.#readLog(),
    ]);
    for (const [message] of this.#waiting) {
      this.#take({
        message,
        level: "ENDED",
        stderr,
        lines: this.lines.slice(),
      });
    }
    return { code, signal, stderr };
  }

  async #readLog(): Promise<void> {
    let rest = "";
    const texts = this.#child.stdout.pipeThrough(new TextDecoderStream());
    for await (const text of texts) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(parseLine(line));
    }
    if (rest !== "") this.#take(parseLine(rest));
  }

  #take(line: LogLine): void {
    if (line.level !== "ENDED") this.lines.push(line);
    this.#waiting.get(line.message)?.(line);
    this.#waiting.delete(line.message);
  }

  /** The first line with a message, once it is there. */
  async logged(message: string): Promise<LogLine> {
    let line = this.lines.find((line) => line.message === message);
    if (line === undefined) {
      const { promise, resolve } = Promise.withResolvers<LogLine>();
      this.#waiting.set(message, resolve);
      line = await within(`the log line "${message}"`, promise);
    }
    if (line.level === "ENDED") {
      throw new Error(`Ended without "${message}": ${JSON.stringify(line)}`);
    }
    return line;
  }

  /** The port, once the process listens. */
  async port(): Promise<number> {
    return (await this.logged("Listening")).port as number;
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Writes a line to the process. */
  async write(line: string): Promise<void> {
    const writer = this.#child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(`${line}\n`));
    writer.releaseLock();
  }

  /** How the process ends, which it must do by itself. */
  end(): Promise<Ended> {
    return within("the end of the process", this.ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await this.#child.stdin.close().catch(() => {});
    await this.ended;
  }
}

function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line);
  } catch {
    return { message: line, level: "" };
  }
}

/** What a program needs of the environment to run, and no settings. */
function ownEnvironment(): Record<string, string> {
  const names = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR"];
  const found = names.map((name) => [name, Deno.env.get(name)] as const);
  return {
    NO_COLOR: "1",
    ...Object.fromEntries(found.filter(([, value]) => value !== undefined)),
  };
}

/** Runs the program to its end. */
export async function run(
  env: Environment,
  ...args: string[]
): Promise<Ended & { readonly lines: readonly LogLine[] }> {
  await using process = Process.main(env, ...args);
  return { ...await process.end(), lines: process.lines };
}

/** Imports a directory, in a process of its own. */
export async function runSeed(
  databasePath: string,
  rawPath: string,
): Promise<void> {
  const { code, lines } = await run({
    MODE: "seed",
    DB_PATH: databasePath,
    DB_RAW_PATH: rawPath,
  });
  assertEquals(code, 0, JSON.stringify(lines));
}
