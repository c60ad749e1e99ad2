/**
 * Program that uses the packages: looks up a CEP in the DNE at the path in the
 * first argument, and requests a token. It is compiled to an ES module and to
 * CommonJS, so nothing is awaited at the top level.
 */
import {
  type Address,
  createHandler,
  openStore,
  seed,
  type SeedReport,
} from "@carteiro/cep";
import { CepError, createCepClient } from "@carteiro/cep/client";
import { createNodeListener } from "@carteiro/cep/node";
import { cep, oauth2 } from "@carteiro/kit";
import { type AccessToken, Client, OAuth2Error } from "@carteiro/oauth2";
import { discover } from "@carteiro/oauth2/discover";
import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

async function lookUp(directory: string): Promise<void> {
  const store = await openStore({ path: ":memory:" });
  const report: SeedReport = await seed({ directory, store });
  ok(report.ceps > 0);
  const listener = createNodeListener(createHandler({ store }));
  await withServer(listener, async (site) => {
    const code = cep.parseCep("01.310-100");
    const response = await fetch(`${site}/cep/${code}`);
    const address = await response.json() as Address;
    equal(address.logradouro, "Avenida Paulista");
    const page = await fetch(`${site}/?cep=01310100`);
    ok((await page.text()).includes("Avenida Paulista"));
    const client = createCepClient({ baseUrl: site });
    deepEqual(await client.lookup("01310-100"), address);
    await rejects(
      () => client.lookup("99999999"),
      (error) => error instanceof CepError && error.code === "cep_not_found",
    );
  });
  await store.close();
}

async function getToken(): Promise<void> {
  await withServer(answer, async (site) => {
    const options = { site, tokenUrl: `${site}/token` };
    const client = new Client("abc", "secret", options);
    const token: AccessToken = await client.clientCredentials.getToken();
    const { parsed } = await token.get("/me");
    deepEqual(parsed, { name: "Ana" });
    await rejects(
      () => new Client("abc", "wrong", options).clientCredentials.getToken(),
      (error) => error instanceof OAuth2Error && error.status === 401,
    );
    await rejects(() => discover(site), Error);
  });
}

/** Authorization server and API in one. */
const answer: RequestListener = ({ method, url, headers }, response) => {
  const basic = `Basic ${btoa("abc:secret")}`;
  const [status, body] = method === "POST" && url === "/token"
    ? headers.authorization === basic
      ? [200, { access_token: "monkey", token_type: "bearer" }]
      : [401, { error: "invalid_client" }]
    : url === "/me" && headers.authorization === "Bearer monkey"
    ? [200, { name: "Ana" }]
    : [404, {}];
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

async function withServer(
  listener: RequestListener,
  use: (site: string) => Promise<void>,
): Promise<void> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function main(directory: string): Promise<void> {
  // Two copies of a package would have two classes.
  equal(oauth2.Client, Client);
  equal(cep.openStore, openStore);
  await lookUp(directory);
  await getToken();
  console.log("looked up, and got a token");
}

main(process.argv[2] ?? "").catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
