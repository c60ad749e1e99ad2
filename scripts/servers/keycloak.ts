/** Keycloak, in its mode for development, with a database in memory. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Certificate, makeCertificate } from "../certificate.ts";
import { run } from "../command.ts";
import { TemporaryFolder } from "../temporary_folder.ts";
import { keycloakRealm } from "./keycloak_realm.ts";
import { lacking } from "./lacking.ts";
import { downloadArchive } from "./maven.ts";
import { requireProgram } from "./missing.ts";
import { findPort, Program } from "./program.ts";
import { getPasswordToken } from "./password_token.ts";
import { PERSON } from "./registered.ts";
import type { Kind, Server, StartOptions } from "./server.ts";

const VERSION = "26.5.0";
const NAME = "keycloak-quarkus-dist";
const REALM = "carteiro";
/** Milliseconds after which a token is expired that was good for a second. */
const BRIEF_AGE = 2_100;

/** Keycloak. */
export const KEYCLOAK: Kind = {
  title: "Keycloak",
  lacks: {
    ...lacking("has it as a preview that is off", "JWT bearer assertion"),
  },
  start,
};

async function start(
  { cache, publicKey, certificates, stack, signal }: StartOptions,
): Promise<Server> {
  await requireProgram(
    { program: "java", version: "17", install: "a JDK" },
    signal,
  );
  const downloads = join(cache, `keycloak-${VERSION}`);
  await downloadArchive(
    { group: "org.keycloak", name: NAME, version: VERSION },
    { folder: downloads, signal },
  );
  // A copy for each run: Keycloak builds itself into its own folder, and
  // imports realms from there.
  const { path } = stack.use(await TemporaryFolder.make("keycloak"));
  const archive = join(downloads, `${NAME}-${VERSION}.tar.gz`);
  await run("tar", ["-xzf", archive, "-C", path], { signal });
  const home = join(path, `keycloak-${VERSION}`);
  const imports = join(home, "data", "import");
  await mkdir(imports, { recursive: true });
  await writeFile(
    join(imports, `${REALM}-realm.json`),
    JSON.stringify(keycloakRealm({ realm: REALM, publicKey })),
  );
  const own = await makeCertificate({ commonName: "keycloak" });
  const files = {
    "server.pem": own.cert,
    "server.key": own.key,
    "clients.pem": certificates.map(({ cert }) => cert).join(""),
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(home, name), text);
  }
  const [port, tlsPort] = [await findPort(), await findPort()];
  const program = stack.use(
    new Program({
      command: [
        join(home, "bin", "kc.sh"),
        "start-dev",
        "--import-realm",
        "--db=dev-mem",
        "--http-host=127.0.0.1",
        `--http-port=${port}`,
        `--https-port=${tlsPort}`,
        "--https-certificate-file=server.pem",
        "--https-certificate-key-file=server.key",
        "--https-client-auth=request",
        "--truststore-paths=clients.pem",
      ],
      cwd: home,
    }),
  );
  const realm = `realms/${REALM}`;
  const issuer = `http://127.0.0.1:${port}/${realm}`;
  await program.waitUntilReady(
    `${issuer}/.well-known/openid-configuration`,
    signal,
  );
  const { username, password } = PERSON;
  return {
    version: VERSION,
    issuer,
    answers: { username, password, accept: "" },
    denial: { username, password, cancel: "" },
    tls: {
      issuer: `https://127.0.0.1:${tlsPort}/${realm}`,
      connect: (certificate) => connect(own, certificate),
    },
    expired: async () => {
      const endpoints = `${issuer}/protocol/openid-connect`;
      const token = await getPasswordToken(`${endpoints}/token`);
      await new Promise((done) => setTimeout(done, BRIEF_AGE));
      return { token, userinfo: `${endpoints}/userinfo` };
    },
  };
}

/** Requests to a server with its own authority, by a client with a certificate. */
function connect({ cert: authority }: Certificate, client: Certificate) {
  const http = Deno.createHttpClient({ caCerts: [authority], ...client });
  const send = (url: string, init: RequestInit) =>
    fetch(url, { ...init, client: http });
  return Object.assign(send, { [Symbol.dispose]: () => http.close() });
}
