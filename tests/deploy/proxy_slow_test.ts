/** Configurations of proxies in deploy/proxy, run by nginx and Caddy. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Child,
  type Command,
  endOf,
  kill,
  outputOf,
  start,
} from "../../scripts/process.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { freePort } from "../_free_port.ts";
import { Connection } from "../cep/_connection.ts";
import { Process, runSeed } from "../cep/_process.ts";
import { within } from "../cep/_within.ts";
import { SAMPLE } from "../_sample.ts";
import { readText } from "./_files.ts";

/** Ports of a proxy and of the service, and a folder for its files. */
interface Ports {
  readonly proxy: number;
  readonly service: number;
  readonly folder: string;
}

/** Proxy under test. */
interface Proxy {
  readonly probe: Command;
  /** Writes the configuration, and returns the command that runs it. */
  readonly prepare: (ports: Ports) => Command;
}

const PROXIES: Readonly<Record<string, Proxy>> = {
  nginx: {
    probe: ["nginx", "-v"],
    prepare({ proxy, service, folder }) {
      const server = readText("proxy/nginx.conf")
        .replace("listen 80;", `listen 127.0.0.1:${proxy};`)
        .replace("127.0.0.1:8080", `127.0.0.1:${service}`)
        .replace("/var/log/nginx", folder)
        .replace("client_header_timeout 10s", "client_header_timeout 1s");
      const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((it) => `${it}_temp_path ${folder}/${it};`);
      const path = join(folder, "nginx.conf");
      writeFileSync(
        path,
        `daemon off; pid ${folder}/pid; error_log stderr warn;\n` +
          `events {}\nhttp { access_log off;\n${paths.join("\n")}\n${server}}`,
      );
      return ["nginx", "-p", folder, "-e", "stderr", "-c", path];
    },
  },
  caddy: {
    probe: ["caddy", "version"],
    prepare({ proxy, service, folder }) {
      const site = readText("proxy/Caddyfile")
        .replace("{\n", "{\n\tadmin off\n\tauto_https off\n")
        .replace("\ncep.example {", `\nhttp://127.0.0.1:${proxy} {`)
        .replace("127.0.0.1:8080", `127.0.0.1:${service}`)
        .replace("read_header 10s", "read_header 1s");
      const path = join(folder, "Caddyfile");
      writeFileSync(path, site);
      return ["caddy", "run", "--config", path, "--adapter", "caddyfile"];
    },
  },
};

for (const [name, { probe, prepare }] of Object.entries(PROXIES)) {
  const ended = await outputOf(probe).catch(() => undefined);
  const ignore = ended?.code !== 0;
  const why = ignore ? " (ignored: not installed)" : "";
  Deno.test({
    name: `${name} protects the service${why}`,
    ignore,
    fn: (t) => protect(t, name, prepare),
  });
}

async function protect(
  t: Deno.TestContext,
  name: string,
  prepare: Proxy["prepare"],
): Promise<void> {
  using folder = new TemporaryFolder("proxy");
  await runSeed(join(folder.path, "data"), SAMPLE);
  await using service = Process.main({
    DB_PATH: join(folder.path, "data"),
    API_TRUSTED_PROXIES: "127.0.0.1",
    API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW: "1000",
    LOG_LEVEL: "debug",
  });
  // First, so that the service cannot get the port of the proxy.
  const listening = await service.port();
  const proxy = await freePort();
  const command = prepare({
    proxy,
    service: listening,
    folder: folder.path,
  });
  const env = { HOME: folder.path, XDG_DATA_HOME: folder.path };
  const child = start(command, { env });
  child.stdout.resume();
  child.stderr.resume();
  const end = endOf(child);
  try {
    await within(`the start of ${name}`, answers(proxy, child));
    await t.step("a record passes", () => passRecord(proxy, service));
    await t.step("half of a header is given up", () => sendHalf(proxy));
    for (const [path, lines] of Object.entries(STREAMS)) {
      await t.step(
        `a stream to ${path} is answered while it arrives`,
        () => stream(proxy, path, lines),
      );
      await t.step(
        `a large table to ${path} is answered`,
        () => sendLarge(proxy, path, lines),
      );
    }
    if (name === "nginx") {
      await t.step("the log of nginx has no address of a person", async () => {
        const query = "q=Rua+Jo%C3%A3o+Pessoa+12";
        // The second answer comes after the line of the first.
        for (const path of [`/busca?${query}`, "/livez"]) {
          await (await fetch(`http://127.0.0.1:${proxy}${path}`)).text();
        }
        const log = readFileSync(join(folder.path, "cep.log"), "utf8");
        const line = log.split("\n").find((it) => it.includes("/busca"));
        assertMatch(
          line ?? "",
          /^127\.0\.0\.1 \S+ GET \/busca \d{3} \d+ [\d.]+$/,
        );
      });
    }
    await t.step("metrics are private", async () => {
      for (const path of ["/metrics", "/debug/count"]) {
        const response = await fetch(`http://127.0.0.1:${proxy}${path}`);
        await response.body?.cancel();
        assertEquals(response.status, 403, path);
      }
    });
  } finally {
    kill(child, "SIGTERM");
    child.stdin.destroy();
    await end;
  }
}

async function passRecord(port: number, service: Process): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/cep/01310100`, {
    headers: { "x-forwarded-for": "203.0.113.7" },
  });
  assertEquals((await response.json()).logradouro, "Avenida Paulista");
  assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  const { client } = await service.logged("Request");
  assertEquals(client, "127.0.0.1");
}

async function sendHalf(port: number): Promise<void> {
  using connection = await Connection.open(port);
  await connection.send("GET /cep/01310100 HTTP/1.1\r\nHost: a\r\nX: ");
  const text = await within("the end", connection.drain());
  assertEquals(/ 200 /.test(text), false);
}

/** Lines that are sent to a path, each with a part of its answer. */
const STREAMS: Readonly<Record<string, readonly [string, string][]>> = {
  "/ceps": [["01310100", "Avenida Paulista"], ["20040002", "20040002"]],
  "/enderecos": [
    ['{"endereco": "Av. Paulista 1578, Sao Paulo/SP"}', "Avenida Paulista"],
    ['{"rua": "Paulista"}', "parameter_invalid"],
  ],
  "/enderecos/": [['{"rua": "Paulista"}', "parameter_invalid"]],
};

async function stream(
  port: number,
  path: string,
  lines: readonly [string, string][],
): Promise<void> {
  using connection = await Connection.open(port);
  await connection.send(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
      "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n" +
      // Without it, Caddy reads more of the table first.
      "Connection: close\r\n\r\n",
  );
  for (const [line, answer] of lines) {
    const size = (line.length + 1).toString(16);
    await connection.send(`${size}\r\n${line}\n\r\n`);
    const text = await within("the answer", connection.receiveUntil(answer));
    assertStringIncludes(text, answer, line);
  }
}

/** Line that is larger than the bodies of other requests may be. */
const LARGE = "x".repeat(3_000_000);

async function sendLarge(
  port: number,
  path: string,
  lines: readonly [string, string][],
): Promise<void> {
  const [[line, answer] = ["", ""]] = lines;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: `${line}\n${LARGE}\n${line}\n`,
  });
  const answers = (await within("the answers", response.text())).split("\n");
  assertStringIncludes(answers[0]!, answer);
  assertStringIncludes(answers[1]!, "body_too_large");
  assertStringIncludes(answers[2]!, answer);
}

/** Asks until a proxy answers, while its process runs. */
async function answers(port: number, child: Child): Promise<void> {
  while (child.exitCode === null) {
    try {
      using connection = await Connection.open(port);
      if (await connection.get("/livez")) return;
    } catch {
      // Not yet.
    }
  }
}
