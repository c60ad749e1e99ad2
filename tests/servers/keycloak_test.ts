/** Keycloak, with a database in memory. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client, type Fetch } from "../../oauth2/mod.ts";
import { fillOnce } from "../../scripts/fill_once.ts";
import { run } from "../../scripts/process.ts";
import { type Certificate, makeCertificate } from "../_certificate.ts";
import { BRIEF, CERTIFIED, type Credentials, USER } from "./_clients.ts";
import { downloadsPath } from "./_downloads.ts";
import { keycloakRealm } from "./_keycloak_realm.ts";
import { copyArtifacts } from "./_maven.ts";
import { requireTool } from "./_require_tool.ts";
import { findPort, serve } from "./_serve.ts";
import { SERVERS } from "./_servers.ts";
import { testServer } from "./_test_server.ts";

const { version } = SERVERS.keycloak;
const ARCHIVE = "keycloak-quarkus-dist";
const REALM = "carteiro";
const ADMIN = { id: "admin", secret: "secret-of-admin" };
/** Milliseconds after which a token with a lifespan of a second is expired. */
const BRIEF_AGE = 2_100;

testServer("keycloak", async ({ stack, publicKey }) => {
  await requireTool("java", "17", "a JDK");
  const program = await install();
  const [port, tlsPort] = [findPort(), findPort()];
  const origin = `http://127.0.0.1:${port}`;
  const [own, certified, other] = await Promise.all(
    ["localhost", CERTIFIED.id, "other"].map(makeCertificate),
  ) as [Certificate, Certificate, Certificate];
  await serve({
    command: [
      program,
      "start",
      "--optimized",
      "--cache=local",
      "--hostname-strict=false",
      "--http-enabled=true",
      "--http-host=127.0.0.1",
      `--http-port=${port}`,
      `--https-port=${tlsPort}`,
      "--https-certificate-file=server.pem",
      "--https-certificate-key-file=server.key",
      "--truststore-paths=clients.pem",
    ],
    env: {
      KC_BOOTSTRAP_ADMIN_CLIENT_ID: ADMIN.id,
      KC_BOOTSTRAP_ADMIN_CLIENT_SECRET: ADMIN.secret,
    },
    files: {
      "server.pem": own.cert,
      "server.key": own.key,
      "clients.pem": `${certified.cert}\n${other.cert}`,
    },
    url: `${origin}/realms/master`,
    stack,
  });

  const client = (realm: string, { id, secret }: Credentials) =>
    new Client(id, secret, {
      tokenUrl: `${origin}/realms/${realm}/protocol/openid-connect/token`,
    });
  const admin = await client("master", ADMIN).clientCredentials.getToken();
  await admin.post(`${origin}/admin/realms`, {
    headers: { "content-type": "application/json" },
    body: keycloakRealm(REALM, publicKey),
  });
  // Trusts the server and presents a certificate.
  const fetchWith = (certificate: Certificate): Fetch => {
    const options = { caCerts: [own.cert], ...certificate };
    const http = stack.use(Deno.createHttpClient(options));
    return (url, init) => fetch(url, { ...init, client: http });
  };
  const { username, password } = USER;
  const issuer = `${origin}/realms/${REALM}`;
  return {
    issuer,
    answers: { username, password, accept: "" },
    denial: { username, password, cancel: "" },
    tls: {
      issuer: `https://127.0.0.1:${tlsPort}/realms/${REALM}`,
      fetch: fetchWith(certified),
      otherFetch: fetchWith(other),
    },
    expired: async () => {
      const { token } = await client(REALM, BRIEF).password
        .getToken(username, password, { scope: "openid" });
      await delay(BRIEF_AGE);
      return { token, userinfo: `${issuer}/protocol/openid-connect/userinfo` };
    },
  };
});

/** Downloads and builds Keycloak once, and returns the path of its program. */
async function install(): Promise<string> {
  const folder = downloadsPath(`keycloak-${version}`);
  const path = join(`keycloak-${version}`, "bin", "kc.sh");
  await fillOnce(folder, async (draft) => {
    const artifact = `org.keycloak:${ARCHIVE}:${version}:tar.gz`;
    await copyArtifacts("copy", [`-Dartifact=${artifact}`], draft);
    const archive = join(draft, `${ARCHIVE}-${version}.tar.gz`);
    await run(["tar", "-xzf", archive, "-C", draft]);
    await rm(archive);
    const options = ["--db=dev-mem", "--https-client-auth=request"];
    await run([join(draft, path), "build", ...options]);
  });
  return join(folder, path);
}
