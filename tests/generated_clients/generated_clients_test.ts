/**
 * Clients that others' tools generate from the OpenAPI document, asked for a CEP
 * and an address: openapi-generator for TypeScript, Python, Java and PHP, and
 * oapi-codegen for Go. Needs the tools of each language and the network.
 */
import { assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createHandler, openStore } from "../../cep/mod.ts";
import { outputOf } from "../../scripts/process.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";

import { seedSample } from "../cep/_seeding.ts";

/** Client of a language, in a folder with the document at `../openapi.json`. */
interface Client {
  readonly language: string;
  /** Commands and files that must exist. */
  readonly tools: readonly string[];
  /** Commands that generate and build the client, by `sh`. */
  readonly build: string;
  /** File of a program that prints a street and a CEP. */
  readonly path: string;
  readonly program: string;
  /** Command that runs the program, by `sh`, with `CEP_URL`. */
  readonly run: string;
}

const GENERATE =
  "npx -y @openapitools/openapi-generator-cli@2 generate -i ../openapi.json -o . -g";

/** HTTP client of the generated PHP, as Debian packages it. */
const GUZZLE = "/usr/share/php/GuzzleHttp/autoload.php";

const CLIENTS: readonly Client[] = [
  {
    language: "TypeScript",
    tools: ["npx", "java"],
    build: `${GENERATE} typescript-fetch && npx -y -p typescript@5.8 tsc \
--noEmit --skipLibCheck --target es2022 --module nodenext --lib es2022,dom \
--moduleResolution nodenext index.ts`,
    path: "program.ts",
    program: `import { CepApi, Configuration, EnderecosApi } from "./index.ts";
const configuration = new Configuration({ basePath: Deno.env.get("CEP_URL") });
const record = await new CepApi(configuration).getCep({ cep: "01310-100" });
console.log(record.logradouro);
const answer = await new EnderecosApi(configuration).matchAddress({
  matchAddressRequest: { endereco: "Av. Paulista 1578, São Paulo/SP" },
});
console.log(answer.cep);
`,
    run:
      "npx -y deno@2.9 run -A --no-check --unstable-sloppy-imports program.ts",
  },
  {
    language: "Python",
    tools: ["npx", "java", "python3"],
    build:
      `${GENERATE} python && python3 -m venv venv && venv/bin/pip install -q .`,
    path: "program.py",
    program: `import os
from openapi_client import ApiClient, CepApi, Configuration, EnderecosApi
from openapi_client import MatchAddressRequest
client = ApiClient(Configuration(host=os.environ["CEP_URL"]))
print(CepApi(client).get_cep("01310-100").logradouro)
address = MatchAddressRequest(endereco="Av. Paulista 1578, São Paulo/SP")
print(EnderecosApi(client).match_address(address).cep)
`,
    run: "venv/bin/python program.py",
  },
  {
    language: "Java",
    tools: ["npx", "java", "mvn"],
    build: `${GENERATE} java --library native`,
    path: "src/main/java/Program.java",
    program: `import java.net.http.HttpClient;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CepApi;
import org.openapitools.client.api.EnderecosApi;
import org.openapitools.client.model.MatchAddressRequest;
public class Program {
  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("CEP_URL"));
    client.setHttpClientBuilder(
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1));
    System.out.println(
        new CepApi(client).getCep("01310-100", null, null).getLogradouro());
    var address =
        new MatchAddressRequest().endereco("Av. Paulista 1578, Sao Paulo/SP");
    System.out.println(new EnderecosApi(client).matchAddress(address).getCep());
  }
}
`,
    run:
      "mvn -q -B -Dmaven.test.skip compile dependency:build-classpath -Dmdep.outputFile=classpath > mvn.log && java -cp target/classes:$(cat classpath) Program",
  },
  {
    language: "PHP",
    tools: ["npx", "java", "php", GUZZLE],
    build: `${GENERATE} php && find lib -name '*.php' -exec php -l {} +`,
    path: "program.php",
    program: `<?php
require '${GUZZLE}';
spl_autoload_register(function ($class) {
    $name = substr($class, strlen('OpenAPI\\\\Client\\\\'));
    $path = __DIR__ . '/lib/' . str_replace('\\\\', '/', $name) . '.php';
    if (is_file($path)) require $path;
});
use OpenAPI\\Client\\Api\\CepApi;
use OpenAPI\\Client\\Api\\EnderecosApi;
use OpenAPI\\Client\\Configuration;
use OpenAPI\\Client\\Model\\MatchAddressRequest;
$configuration = (new Configuration())->setHost(getenv('CEP_URL'));
echo (new CepApi(null, $configuration))->getCep('01310-100')->getLogradouro(), "\\n";
$address = new MatchAddressRequest(
    ['endereco' => 'Av. Paulista 1578, São Paulo/SP']);
echo (new EnderecosApi(null, $configuration))->matchAddress($address)->getCep(), "\\n";
`,
    run: "php program.php",
  },
  {
    language: "Go",
    tools: ["go"],
    build: `go mod init program && mkdir cep && go run \
github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2 \
-generate types,client -package cep -o cep/cep.go ../openapi.json`,
    path: "main.go",
    program: `package main

import (
	"context"
	"fmt"
	"os"

	"program/cep"
)

func main() {
	client, err := cep.NewClientWithResponses(os.Getenv("CEP_URL"))
	if err != nil {
		panic(err)
	}
	record, err := client.GetCepWithResponse(context.Background(), "01310-100", nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(record.JSON200.Logradouro)
	text := "Av. Paulista 1578, São Paulo/SP"
	body := cep.MatchAddressJSONRequestBody{Endereco: &text}
	answer, err := client.MatchAddressWithResponse(context.Background(), body)
	if err != nil {
		panic(err)
	}
	fmt.Println(*answer.JSON200.Cep)
}
`,
    run: "go mod tidy && go run .",
  },
];

function exists(tool: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${tool} || test -e ${tool}`])
    .status === 0;
}

for (const { language, tools, build, path, program, run } of CLIENTS) {
  Deno.test({
    name:
      `a client generated for ${language} compiles, and gets a CEP and an address`,
    ignore: !tools.every(exists),
    async fn() {
      const store = await openStore({ path: ":memory:" });
      await seedSample(store);
      const handler = createHandler({ store, config: { rateLimit: false } });
      await using server = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen() {} },
        (request) => handler(request),
      );
      const url = `http://127.0.0.1:${server.addr.port}`;
      using folder = new TemporaryFolder("generated-client");
      const home = join(folder.path, "client");
      mkdirSync(join(home, path, ".."), { recursive: true });
      const document = await (await fetch(`${url}/openapi.json`)).text();
      writeFileSync(join(folder.path, "openapi.json"), document);
      writeFileSync(join(home, path), program);
      const shell = async (script: string) => {
        const output = await outputOf(["sh", "-c", script], {
          cwd: home,
          env: { ...process.env, CEP_URL: url },
        });
        const tail = (output.stdout + output.stderr).slice(-3000);
        assertEquals(output.code, 0, tail);
        return output.stdout;
      };
      await shell(build);
      assertEquals(await shell(run), "Avenida Paulista\n01310200\n");
      await store.close();
    },
  });
}
