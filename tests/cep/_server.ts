/**
 * What the tests of the serving half share: records, stores that hold them or
 * fail, a service over them, and servers in processes of their own.
 */
import { assertEquals } from "@std/assert";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Address } from "../../cep/address.ts";
import type { Config } from "../../cep/config.ts";
import type {
  Answer,
  ConnectionInfo,
  Exchange,
  Middleware,
  Route,
} from "../../cep/http/exchange.ts";
import { createHandler } from "../../cep/http/handler.ts";
import type { Release, Store } from "../../cep/store/store.ts";
import {
  cepCommand,
  type Child,
  codeCommand,
  type Command,
  type Ended,
  endOf,
  type Environment,
  kill,
  start,
} from "../program.ts";
import { CapturingLogger } from "./_fixtures.ts";

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

/** The release that {@linkcode recordsStore} begins with. */
export const RELEASE: Release = {
  id: 1,
  dneVersion: "26011",
  seededAt: "2026-01-02T03:04:05.000Z",
  totalCeps: 1,
  totalByState: { SP: 1 },
  totalByFile: { "LOG_LOGRADOURO_SP.TXT": 1 },
};

/** A store that fails whatever is asked of it, but for the methods given. */
export function fakeStore(methods: Partial<Store> = {}): Store {
  const refuse = (method: string) => () =>
    Promise.reject(new Error(`unexpected call of ${method}`));
  return {
    release: refuse("release"),
    find: refuse("find"),
    findJson: refuse("findJson"),
    list: refuse("list"),
    scan() {
      throw new Error("unexpected call of scan");
    },
    stage: refuse("stage"),
    close: refuse("close"),
    ...methods,
  };
}

/** A store whose records are in memory. */
export interface RecordsStore extends Store {
  /** Replaces the records by those of a new release. */
  publish(records: readonly Address[]): void;
}

/** A store of records, or an empty one. */
export function recordsStore(records?: readonly Address[]): RecordsStore {
  const codes = new Map<string, Address>();
  let release: Release | undefined;
  function publish(records: readonly Address[]): void {
    codes.clear();
    for (const record of records.toSorted(byCep)) codes.set(record.cep, record);
    release = {
      ...RELEASE,
      id: (release?.id ?? 0) + 1,
      totalCeps: codes.size,
      totalByState: countBy(records, "uf"),
      totalByFile: countBy(records, "nome_origem"),
    };
  }
  if (records) publish(records);
  return {
    ...fakeStore({
      close: () => Promise.resolve(),
      release: () => Promise.resolve(release),
      find: (cep) => Promise.resolve(codes.get(cep)),
      findJson(cep) {
        const record = codes.get(cep);
        return Promise.resolve(
          record && release &&
            { json: JSON.stringify(record), release, fromMemory: true },
        );
      },
      list(prefix, limit) {
        const data = [...codes.values()].filter(({ cep }) =>
          cep.startsWith(prefix)
        );
        return Promise.resolve({
          total: data.length,
          data: data.slice(0, limit),
        });
      },
    }),
    publish,
  };
}

function byCep(a: Address, b: Address): number {
  return Number(a.cep) - Number(b.cep);
}

function countBy(
  records: readonly Address[],
  field: keyof Address,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (
    const record of records.toSorted((a, b) => a[field] < b[field] ? -1 : 1)
  ) {
    counts[record[field]] = (counts[record[field]] ?? 0) + 1;
  }
  return counts;
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
  ) => Response | Promise<Response>;
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

  static open(options: ServiceOptions = {}): Promise<Service> {
    const store = options.store ?? recordsStore(options.records);
    return Promise.resolve(new Service(store, options));
  }

  /** Asks for a path. */
  async ask(path: string, { from, ...init }: Call = {}): Promise<Response> {
    const request = new Request(`http://localhost${path}`, init);
    return await this.handler(
      request,
      from === undefined ? undefined : info(from),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#owned) await this.store.close();
  }
}

/** A connection from an address. */
export function info(hostname: string): ConnectionInfo {
  return { remoteAddr: { transport: "tcp", hostname } };
}

/** A route that is in order, but for the members given. */
export function route(changes: Partial<Route> = {}): Route {
  return {
    pattern: "/",
    summary: { en: "", pt: "" },
    parameters: [],
    answers: {},
    errors: [],
    handle: () => ({ status: 204 }),
    ...changes,
  };
}

/** An exchange that is in order, but for the members given. */
export function exchange(changes: Partial<Exchange> = {}): Exchange {
  const { request = new Request("http://localhost/") } = changes;
  return {
    request,
    method: request.method,
    requestHeaders: request.headers,
    path: "/",
    query: "",
    info: undefined,
    start: 0,
    route: route(),
    variables: {},
    headers: {},
    id: "",
    idGiven: false,
    allowance: undefined,
    ...changes,
  };
}

/** What a middleware makes of an answer. */
export async function complete(
  middleware: Middleware,
  it: Exchange,
  answer: Answer,
): Promise<Answer> {
  return middleware.before?.(it) ??
    await middleware.after?.(it, answer) ?? answer;
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
  readonly #socket: Socket;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #received = new Uint8Array();

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#chunks = socket[Symbol.asyncIterator]();
    // Whoever reads or writes next is told of it.
    socket.on("error", () => {});
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    await once(socket, "connect");
    return new Connection(socket);
  }

  /** Sends text as it stands, a character a byte. */
  send(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(
        text,
        "latin1",
        (error) => error ? reject(error) : resolve(),
      );
    });
  }

  /** Tells the server that it will be sent no more. */
  end(): void {
    this.#socket.end();
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
    const chunk = await this.#next();
    if (chunk === undefined) return false;
    const joined = new Uint8Array(this.#received.length + chunk.length);
    joined.set(this.#received);
    joined.set(chunk, this.#received.length);
    this.#received = joined;
    return true;
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#chunks.next();
      return done ? undefined : value;
    } catch (error) {
      if (isClosed(error)) return undefined;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Whether the other side has closed the connection. */
function isClosed(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return [
    "ECONNRESET",
    "EPIPE",
    "ERR_STREAM_DESTROYED",
    "ERR_STREAM_PREMATURE_CLOSE",
  ].includes(code);
}

/** Whether nobody listens where a connection was tried, or just ceased to. */
export function isRefused(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === "ECONNREFUSED" ||
    (code === "ECONNRESET" && syscall === "connect");
}

/** A line of the log. */
export interface LogLine {
  readonly message: string;
  readonly level: string;
  readonly [property: string]: unknown;
}

/** How a {@linkcode Process} ended, and what it wrote to its other output. */
export type ProcessEnded = Ended & { readonly stderr: string };

/** A process whose output is a log of JSON lines. */
export class Process implements AsyncDisposable {
  /** The log so far. */
  readonly lines: LogLine[] = [];
  /** What it has written to its other output so far. */
  stderr = "";
  readonly ended: Promise<ProcessEnded>;
  readonly #child: Child;
  readonly #firsts = new Map<string, PromiseWithResolvers<LogLine>>();

  private constructor(child: Child) {
    this.#child = child;
    this.ended = this.#watch();
  }

  /** Runs the service of this repository. */
  static main(env: Environment, ...args: string[]): Process {
    return Process.service(cepCommand(...args), env);
  }

  /** Runs a service, which shall listen on a free port of loopback. */
  static service(command: Command, env: Environment): Process {
    const settings = { API_HOST: "127.0.0.1", API_PORT: "0", ...env };
    return new Process(start(command, settings));
  }

  /** Runs lines of code. */
  static script(code: string): Process {
    return new Process(start(codeCommand(code)));
  }

  async #watch(): Promise<ProcessEnded> {
    const [ended] = await Promise.all([
      endOf(this.#child),
      this.#readLog(),
      this.#readErrors(),
    ]);
    return { ...ended, stderr: this.stderr };
  }

  async #readLog(): Promise<void> {
    for await (const text of createInterface(this.#child.stdout)) {
      const line = parseLine(text);
      this.lines.push(line);
      this.#first(line.message).resolve(line);
    }
  }

  async #readErrors(): Promise<void> {
    for await (const text of this.#child.stderr.setEncoding("utf8")) {
      this.stderr += text;
    }
  }

  /** The first line with a message, which is there or may yet come. */
  #first(message: string): PromiseWithResolvers<LogLine> {
    const first = this.#firsts.get(message) ?? Promise.withResolvers<LogLine>();
    this.#firsts.set(message, first);
    return first;
  }

  /** The first line with a message, once it is there. */
  logged(message: string): Promise<LogLine> {
    const missed = this.ended.then(({ stderr }) => {
      const told = JSON.stringify(this.lines) + stderr;
      throw new Error(`Ended without "${message}": ${told}`);
    });
    const line = Promise.race([this.#first(message).promise, missed]);
    return within(`the log line "${message}"`, line);
  }

  /** The port, once the process listens. */
  async port(): Promise<number> {
    return (await this.logged("Listening")).port as number;
  }

  kill(signal: NodeJS.Signals): void {
    kill(this.#child, signal);
  }

  /** Writes a line to the process. */
  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** How the process ends, which it must do by itself. */
  end(): Promise<ProcessEnded> {
    return within("the end of the process", this.ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill("SIGKILL");
    this.#child.stdin.destroy();
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

/** Runs the program to its end. */
export async function run(
  env: Environment,
  ...args: string[]
): Promise<ProcessEnded & { readonly lines: readonly LogLine[] }> {
  await using process = Process.main(env, ...args);
  return { ...await process.end(), lines: process.lines };
}

/** Imports a directory, in a process of its own. */
export async function runSeed(
  databasePath: string,
  rawPath: string,
  env: Environment = {},
): Promise<void> {
  const { code, lines } = await run({
    MODE: "seed",
    DB_PATH: databasePath,
    DB_RAW_PATH: rawPath,
    ...env,
  });
  assertEquals(code, 0, JSON.stringify(lines));
}
