/** Certificates for servers and clients on this machine, which sign themselves. */

/** A certificate and its private key, each as PEM. */
export interface Certificate {
  /** The certificate, which is its own authority. */
  readonly cert: string;
  /** The private key (PKCS #8). */
  readonly key: string;
}

/** Options of {@linkcode makeCertificate}. */
export interface CertificateOptions {
  /** The one attribute of the subject. */
  readonly commonName: string;
  /**
   * The time, in milliseconds since 1970: the certificate is valid for a day
   * before and after.
   *
   * @default Date.now()
   */
  readonly now?: number;
}

const DAY = 86_400_000;

/** Makes a certificate for `localhost` and 127.0.0.1 (RFC 5280), with ES256. */
export async function makeCertificate(
  { commonName, now = Date.now() }: CertificateOptions,
): Promise<Certificate> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"],
  );
  const name = sequence(set(sequence(COMMON_NAME, utf8(commonName))));
  const content = sequence(
    explicit(0, integer(Uint8Array.of(2))), // version 3
    integer(crypto.getRandomValues(new Uint8Array(16))), // serial number
    ECDSA_WITH_SHA256,
    name, // issuer
    sequence(utcTime(now - DAY), utcTime(now + DAY)),
    name, // subject
    new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)),
    explicit(3, sequence(subjectAltName())),
  );
  const signature = new Uint8Array(
    await crypto.subtle.sign(
      { name: "ECDSA", hash: "SHA-256" },
      privateKey,
      content,
    ),
  );
  const certificate = sequence(
    content,
    ECDSA_WITH_SHA256,
    bitString(sequence(
      integer(signature.subarray(0, 32)),
      integer(signature.subarray(32)),
    )),
  );
  const key = await crypto.subtle.exportKey("pkcs8", privateKey);
  return {
    cert: pem("CERTIFICATE", certificate),
    key: pem("PRIVATE KEY", new Uint8Array(key)),
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The sequence of 1.2.840.10045.4.3.2, as the algorithm of a signature. */
const ECDSA_WITH_SHA256 = sequence(
  tagged(0x06, Uint8Array.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2)),
);
/** 2.5.4.3 */
const COMMON_NAME = tagged(0x06, Uint8Array.of(0x55, 4, 3));
/** 2.5.29.17 */
const SUBJECT_ALT_NAME = tagged(0x06, Uint8Array.of(0x55, 0x1d, 17));

function subjectAltName(): Bytes {
  const names = sequence(
    tagged(0x82, new TextEncoder().encode("localhost")),
    tagged(0x87, Uint8Array.of(127, 0, 0, 1)),
  );
  return sequence(SUBJECT_ALT_NAME, tagged(0x04, names));
}

function sequence(...parts: readonly Uint8Array[]): Bytes {
  return tagged(0x30, ...parts);
}

function set(...parts: readonly Uint8Array[]): Bytes {
  return tagged(0x31, ...parts);
}

/** Context-specific and constructed, as in `[0] EXPLICIT`. */
function explicit(number: number, part: Uint8Array): Bytes {
  return tagged(0xa0 + number, part);
}

/** A number that is not negative, in as few bytes as can be. */
function integer(bytes: Uint8Array): Bytes {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Uint8Array.of(0) : bytes.subarray(start);
  return tagged(0x02, Uint8Array.of(...digits[0]! > 127 ? [0] : []), digits);
}

function bitString(part: Uint8Array): Bytes {
  return tagged(0x03, Uint8Array.of(0), part);
}

function utf8(text: string): Bytes {
  return tagged(0x0c, new TextEncoder().encode(text));
}

function utcTime(time: number): Bytes {
  const digits = new Date(time).toISOString().replace(/\D/g, "");
  return tagged(0x17, new TextEncoder().encode(`${digits.slice(2, 14)}Z`));
}

/** A tag, the length, and what it tags (X.690 8.1.3). */
function tagged(tag: number, ...parts: readonly Uint8Array[]): Bytes {
  const content = parts.flatMap((part) => [...part]);
  const { length } = content;
  const size = length < 128
    ? [length]
    : length < 256
    ? [0x81, length]
    : [0x82, length >> 8, length & 255];
  return Uint8Array.of(tag, ...size, ...content);
}

function pem(label: string, bytes: Uint8Array): string {
  const lines = bytes.toBase64().match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""]
    .join("\n");
}
