import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { Client } from "../../../oauth2/mod.ts";
import {
  type Certificate,
  certificateThumbprint,
  isBoundTo,
  withMtlsEndpoints,
} from "../../../oauth2/server/mtls.ts";
import { BASE64, DER, PEM, THUMBPRINT } from "../_certificate_files.ts";

const FORMS: [string, Certificate][] = [
  ["PEM", PEM],
  ["PEM with CR LF and text around", `x\r\n${PEM.replaceAll("\n", "\r\n")}y`],
  ["PEM with the chain", `${PEM}${PEM.replaceAll("A", "B")}`],
  ["the value of Client-Cert", `:${BASE64}:`],
  ["DER", DER],
  ["an ArrayBuffer", DER.buffer],
  ["a part of a buffer", new Uint8Array([0, ...DER, 0]).subarray(1, -1)],
  ["the certificate of Node", { raw: DER }],
];

for (const [name, certificate] of FORMS) {
  Deno.test(`certificateThumbprint reads ${name}`, async () => {
    assertEquals(await certificateThumbprint(certificate), THUMBPRINT);
  });
}

const GARBAGE: [string, unknown][] = [
  ["empty text", ""],
  ["text", "monkey"],
  ["base64 without colons", BASE64],
  ["an empty PEM", "-----BEGIN CERTIFICATE----------END CERTIFICATE-----"],
  ["a key", PEM.replaceAll("CERTIFICATE", "PUBLIC KEY")],
  ["a PEM that is cut", PEM.slice(0, -30)],
  ["a PEM with a byte less", PEM.replace("hk=", "g==")],
  ["DER with a byte more", new Uint8Array([...DER, 0])],
  ["DER that is cut", DER.subarray(0, 100)],
  ["no bytes", new Uint8Array()],
  ["one byte", new Uint8Array([0x30])],
  ["an empty sequence", new Uint8Array([0x30, 0])],
  ["a short sequence", new Uint8Array([0x30, 1, 5])],
  ["another tag", new Uint8Array([0x31, ...DER.subarray(1)])],
  ["five bytes of length", new Uint8Array([0x30, 0x85, 0, 0, 0, 0, 0])],
  ["an indefinite length", new Uint8Array([0x30, 0x80, 0, 0])],
  ["a huge length", new Uint8Array([0x30, 0x84, 255, 255, 255, 255])],
  ["megabytes", new Uint8Array(1 << 20)],
  ["null", null],
  ["an empty object", {}],
  ["raw text", { raw: PEM }],
];

for (const [name, certificate] of GARBAGE) {
  Deno.test(`certificateThumbprint refuses ${name}`, async () => {
    await assertRejects(
      () => certificateThumbprint(certificate as Certificate),
      TypeError,
      "Cannot read the certificate: ",
    );
  });
}

Deno.test("certificateThumbprint reads or refuses any bytes and text", async () => {
  const sources = fc.oneof(
    fc.uint8Array(),
    fc.uint8Array().map((bytes) => new Uint8Array([0x30, 0x82, ...bytes])),
    fc.string(),
    fc.base64String().map((text) => `:${text}:`),
    fc.base64String().map((text) =>
      `-----BEGIN CERTIFICATE-----${text}-----END CERTIFICATE-----`
    ),
  );
  await fc.assert(fc.asyncProperty(sources, async (source) => {
    const thumbprint = await certificateThumbprint(source)
      .catch((error) => assertInstanceOf(error, TypeError));
    if (thumbprint) assertEquals(thumbprint.length, 43);
  }));
});

Deno.test("certificateThumbprint refuses 64 kB of anything in linear time", async () => {
  // Cubic time is hours: then this test does not end.
  const begin = "-----BEGIN CERTIFICATE-----";
  const end = "-----END CERTIFICATE-----";
  const parts = fc.record({
    before: fc.constantFrom("", " ", ":", begin, `${begin} `),
    unit: fc.constantFrom(" ", "\n", "A", "=", "-", ":", " A", begin, end),
    after: fc.constantFrom("", "!", ":", "=!", end, `!${end}`),
  });
  await fc.assert(fc.asyncProperty(parts, async ({ before, unit, after }) => {
    const filling = unit.repeat(65_536 / unit.length);
    await assertRejects(
      () => certificateThumbprint(before + filling + after),
      TypeError,
      "Cannot read the certificate: ",
    );
  }));
});

Deno.test("certificateThumbprint refuses text that no certificate needs", async () => {
  const room = " ".repeat(128 * 1024 - PEM.length);
  assertEquals(await certificateThumbprint(room + PEM), THUMBPRINT);
  await assertRejects(() => certificateThumbprint(` ${room}${PEM}`), TypeError);
});

Deno.test("isBoundTo compares the thumbprint of the certificate", async () => {
  assert(await isBoundTo({ "x5t#S256": THUMBPRINT }, PEM));
  for (
    const cnf of [
      undefined,
      null,
      "x",
      {},
      { jkt: THUMBPRINT },
      { "x5t#S256": [THUMBPRINT] },
      { "x5t#S256": `${THUMBPRINT}=` },
      { "x5t#S256": "" },
    ]
  ) assert(!await isBoundTo(cnf, PEM));
});

const ISSUER = "https://issuer.example";
const FOUND = {
  issuer: ISSUER,
  site: ISSUER,
  tokenUrl: `${ISSUER}/token`,
  revokeUrl: `${ISSUER}/revoke`,
  metadata: {
    issuer: ISSUER,
    token_endpoint: `${ISSUER}/token`,
    pushed_authorization_request_endpoint: `${ISSUER}/par`,
    introspection_endpoint: `${ISSUER}/introspect`,
    mtls_endpoint_aliases: {
      token_endpoint: "https://mtls.example/token",
      pushed_authorization_request_endpoint: "https://mtls.example/par",
      authorization_endpoint: "https://mtls.example/auth",
    },
  },
};

Deno.test("withMtlsEndpoints replaces the endpoints that have an alias", () => {
  const options = withMtlsEndpoints(FOUND);
  const { metadata } = options;
  const client = new Client("abc", null, options);
  assertEquals(client.tokenUrl(), "https://mtls.example/token");
  assertEquals(client.revokeUrl(), `${ISSUER}/revoke`);
  assertEquals(
    metadata.pushed_authorization_request_endpoint,
    "https://mtls.example/par",
  );
  assertEquals(metadata.introspection_endpoint, `${ISSUER}/introspect`);
  assert(!("authorization_endpoint" in metadata));
  assertEquals(FOUND.tokenUrl, `${ISSUER}/token`);
});

Deno.test("withMtlsEndpoints leaves options without aliases as they are", () => {
  const { mtls_endpoint_aliases: _, ...metadata } = FOUND.metadata;
  const plain = { ...FOUND, metadata };
  assertEquals(withMtlsEndpoints(plain), plain);
  assertEquals(withMtlsEndpoints({ tokenUrl: "x" }), { tokenUrl: "x" });
});

Deno.test("withMtlsEndpoints refuses an alias that is not text", () => {
  const metadata = {
    issuer: ISSUER,
    mtls_endpoint_aliases: { token_endpoint: 1 as unknown as string },
  };
  assertThrows(
    () => withMtlsEndpoints({ metadata }),
    TypeError,
    "alias of token_endpoint",
  );
});
