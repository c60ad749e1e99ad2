/** Examples in PHP, Python, Java and Go, each where its interpreter is. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  type AddressInfo,
  createServer,
  type Server,
  type Socket,
} from "node:net";
import { join } from "node:path";
import { createHandler, openStore } from "../../cep/mod.ts";
import { type Output, outputOf } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { seedSample } from "../cep/_seeding.ts";

/** Commands by language, with the arguments that show their versions. */
const LANGUAGES = [
  { name: "PHP", run: ["php"], version: "-v", file: "lookup.php" },
  { name: "Python", run: ["python3"], version: "-V", file: "lookup.py" },
  { name: "Java", run: ["java"], version: "-version", file: "Lookup.java" },
  { name: "Go", run: ["go", "run"], version: "version", file: "lookup.go" },
] as const;

/** Runs an example in a language with an input. */
function run(
  { run, file }: (typeof LANGUAGES)[number],
  task: "lookup" | "clean",
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = "",
): Promise<Output> {
  const name = task === "lookup"
    ? file
    : file.replace("lookup", "clean").replace("Lookup", "Clean");
  const path = join(ROOT, "examples", task, name);
  return outputOf([...run, path, ...args], { env, input });
}

/** Serves the sample, and a server that refuses every request, on loopback. */
async function serve(): Promise<
  AsyncDisposable & { url: string; busy: string }
> {
  const store = await openStore({ path: ":memory:" });
  await seedSample(store);
  const handler = createHandler({ store, config: { rateLimit: false } });
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  const service = Deno.serve(options, (request) => handler(request));
  const refusing = Deno.serve(
    options,
    () => new Response("busy", { status: 503 }),
  );
  const urlOf = ({ addr }: Deno.HttpServer<Deno.NetAddr>) =>
    `http://127.0.0.1:${addr.port}`;
  return {
    url: urlOf(service),
    busy: urlOf(refusing),
    async [Symbol.asyncDispose]() {
      await Promise.all([service.shutdown(), refusing.shutdown()]);
      await store.close();
    },
  };
}

type Answer = (socket: Socket) => void;

/** Server on loopback that answers each request with bytes of its own. */
class FailingServer implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(answer: Answer): Promise<FailingServer> {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => answer(socket));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FailingServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }
}

const ROWS = [
  { logradouro: "Av. Paulista", numero: "1578", cidade: "São Paulo", uf: "SP" },
  { logradouro: "Rua Inexistente", cidade: "São Paulo", uf: "SP" },
];

/** Record that comes too late: a byte each tenth of a second. */
const LATE = JSON.stringify({ cep: "01310-100", logradouro: "Rua da Espera" });

const FAILURES: readonly (readonly [failure: string, answer: Answer])[] = [
  ["sends a web page", (socket) => socket.end(responseOf("<html></html>"))],
  ["breaks off", (socket) => socket.end(responseOf(LATE).slice(0, -9))],
  ["speaks no HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n")],
  ["is slower than its limit", (socket) => {
    const text = responseOf(LATE);
    const head = text.length - LATE.length;
    socket.write(text.slice(0, head));
    let sent = head;
    const timer = setInterval(() => {
      socket.write(text[sent++]!);
      if (sent === text.length) socket.end();
    }, 100);
    socket.on("close", () => clearInterval(timer));
  }],
];

function responseOf(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n` +
    `connection: close\r\n\r\n${body}`;
}

for (const language of LANGUAGES) {
  const { name, run: [command], version } = language;
  const ignore = spawnSync(command, [version]).status !== 0;

  Deno.test({
    name:
      `lookup in ${name} finds a CEP, and tells an unknown and a malformed one`,
    ignore,
    async fn() {
      await using server = await serve();
      const env = { CEP_URL: server.url, CEP_FALLBACK_URL: server.busy };
      const found = await run(language, "lookup", ["01310-100"], env);
      assertEquals(found.stdout, "Avenida Paulista, São Paulo/SP\n");
      const missing = await run(language, "lookup", ["99999999"], env);
      assertEquals([missing.code, missing.stdout], [1, ""]);
      assertStringIncludes(missing.stderr, "encontrado");
      for (const text of ["123", "01310100/json/?", "../01310100"]) {
        const malformed = await run(language, "lookup", [text], env);
        assertEquals(malformed.stdout, "");
        assertStringIncludes(malformed.stderr, `CEP inválido: ${text}\n`);
        assertEquals(malformed.code, 1);
      }
    },
  });

  Deno.test({
    name:
      `lookup in ${name} asks the other server if the first is busy or down`,
    ignore,
    async fn() {
      await using server = await serve();
      for (const first of [server.busy, "http://127.0.0.1:1"]) {
        const env = { CEP_URL: first, CEP_FALLBACK_URL: server.url };
        const { stdout } = await run(language, "lookup", ["01310100"], env);
        assertEquals(stdout, "Avenida Paulista, São Paulo/SP\n");
      }
    },
  });

  for (const [failure, answer] of FAILURES) {
    Deno.test({
      name: `lookup in ${name} asks the other server if one ${failure}`,
      ignore,
      async fn() {
        await using server = await serve();
        await using failing = await FailingServer.start(answer);
        const env = { CEP_URL: failing.url, CEP_FALLBACK_URL: server.url };
        const { stdout, stderr } = await run(
          language,
          "lookup",
          ["01310100"],
          env,
        );
        assertEquals(stdout, "Avenida Paulista, São Paulo/SP\n", stderr);
      },
    });
  }

  if (["PHP", "Python"].includes(name)) testTable(language, ignore);
  else testLines(language, ignore);
}

/** Tests an example that reads NDJSON. */
function testLines(language: typeof LANGUAGES[number], ignore: boolean): void {
  Deno.test({
    name: `clean in ${language.name} adds the CEPs to NDJSON`,
    ignore,
    async fn() {
      await using server = await serve();
      const input = ROWS.map((row) => `${JSON.stringify(row)}\n`).join("");
      const env = { CEP_URL: server.url };
      const { stdout, stderr } = await run(language, "clean", [], env, input);
      const lines = stdout.trim().split(/\r?\n/);
      const ceps = lines.map((line) => JSON.parse(line).cep);
      assertEquals(ceps, ["01310200", null], stderr);
    },
  });
}

/** Tests an example that reads CSV. */
function testTable(language: typeof LANGUAGES[number], ignore: boolean): void {
  for (const delimiter of [",", ";"]) {
    Deno.test({
      name:
        `clean in ${language.name} adds the CEPs to a table with ${delimiter}`,
      ignore,
      async fn() {
        await using server = await serve();
        const names = ["logradouro", "numero", "cidade", "uf"];
        const cells = ROWS.map(({ logradouro, numero = "", cidade, uf }) => [
          logradouro,
          numero,
          cidade,
          uf,
        ]);
        const input = [names, ...cells].map((it) => it.join(delimiter));
        const { stdout, stderr } = await run(
          language,
          "clean",
          [],
          { CEP_URL: server.url },
          `\uFEFF${input.join("\r\n")}\r\n\r\n`,
        );
        const [head, first = [], second = []] = stdout.replaceAll('"', "")
          .trim()
          .split(/\r?\n/).map((line) => line.split(delimiter));
        const added = ["cep_encontrado", "pontuacao", "conferir"];
        assertEquals(head, [...names, ...added], stderr);
        assertEquals([first[2], first[4]], ["São Paulo", "01310200"]);
        assertEquals([second[4], second[6]], ["", "sim"]);
      },
    });
  }

  Deno.test({
    name: `clean in ${language.name} refuses a table without a known column`,
    ignore,
    async fn() {
      const env = { CEP_URL: "http://127.0.0.1:1" };
      for (const input of ["Endereço\nRua A\n", ""]) {
        const { code, stdout, stderr } = await run(
          language,
          "clean",
          [],
          env,
          input,
        );
        assertEquals([code, stdout], [1, ""]);
        assertStringIncludes(stderr, "Nenhuma coluna se chama endereco,");
      }
    },
  });
}
