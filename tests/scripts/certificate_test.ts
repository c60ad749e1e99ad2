import { assert, assertEquals } from "@std/assert";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { makeCertificate } from "../../scripts/certificate.ts";

const NOW = Date.UTC(2031, 4, 6, 7, 8, 9);

Deno.test("makeCertificate names the subject, and the hosts of this machine", async () => {
  const { cert } = await makeCertificate({ commonName: "José", now: NOW });
  const read = new X509Certificate(cert);
  assertEquals(read.subject, "CN=José");
  assertEquals(read.issuer, read.subject);
  assertEquals(read.subjectAltName, "DNS:localhost, IP Address:127.0.0.1");
});

Deno.test("makeCertificate is valid for a day before and after", async () => {
  const { cert } = await makeCertificate({ commonName: "a", now: NOW });
  const read = new X509Certificate(cert);
  assertEquals(
    [read.validFrom, read.validTo].map((date) => Date.parse(date) - NOW),
    [-86_400_000, 86_400_000],
  );
});

Deno.test("makeCertificate gives the key that signed the certificate", async () => {
  const { cert, key } = await makeCertificate({ commonName: "a" });
  const other = await makeCertificate({ commonName: "a" });
  const read = new X509Certificate(cert);
  assert(read.checkPrivateKey(createPrivateKey(key)));
  assert(read.verify(read.publicKey));
  assert(!read.verify(new X509Certificate(other.cert).publicKey));
});

Deno.test("makeCertificate is taken by a server, and by a client that trusts it", async () => {
  const { cert, key } = await makeCertificate({ commonName: "a" });
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen() {} },
    () => new Response("hello"),
  );
  using client = Deno.createHttpClient({ caCerts: [cert] });
  const url = `https://127.0.0.1:${server.addr.port}/`;
  const response = await fetch(url, { client });
  assertEquals(await response.text(), "hello");
});
