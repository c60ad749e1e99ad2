import { toBase64Url } from "../core/base64.ts";
import { Inspectable } from "../core/inspectable.ts";
import { checkNames, knownNames } from "../core/names.ts";
import type { Jwk, WebCryptoKeyPair } from "../core/web_crypto.ts";
import {
  type RequiredJwk,
  requiredMembers,
  sha256,
  thumbprintOf,
} from "../core/jwk.ts";
import { invalid } from "../core/type_error.ts";

/**
 * Signature algorithm of DPoP proofs. `Ed25519` is the new name of `EdDSA` (RFC
 * 9864), which not every server knows.
 */
export type DpopAlgorithm = "ES256" | "EdDSA" | "Ed25519" | "PS256";

/** Options of {@linkcode DpopKey.generate}. */
export interface DpopKeyOptions {
  /**
   * Signature algorithm.
   *
   * @default {"ES256"}
   */
  algorithm?: DpopAlgorithm | undefined;
  /**
   * Allows to export the private key. A key that is not extractable can still
   * be kept in IndexedDB.
   *
   * @default {false}
   */
  extractable?: boolean | undefined;
}

const OPTIONS = knownNames<DpopKeyOptions>({
  algorithm: true,
  extractable: true,
});

/** Request that a proof is for. */
export interface ProofRequest {
  /** HTTP method. */
  readonly method: string;
  /** URL; its query and fragment are left out. */
  readonly url: string | URL;
  /** Time of the proof in seconds since 1970. */
  readonly iat: number;
  /** Unique id of the proof. */
  readonly jti: string;
  /** Access token of the request. */
  readonly token?: string | undefined;
  /** Nonce of the server. */
  readonly nonce?: string | undefined;
}

type Parameters = { readonly name: string; readonly [member: string]: unknown };

const RSA = {
  name: "RSA-PSS",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
/** Parameters of Web Crypto: for keys and for signatures. */
const ALGORITHMS: {
  readonly [algorithm in DpopAlgorithm]: readonly [Parameters, Parameters];
} = {
  ES256: [
    { name: "ECDSA", namedCurve: "P-256" },
    { name: "ECDSA", hash: "SHA-256" },
  ],
  EdDSA: [{ name: "Ed25519" }, { name: "Ed25519" }],
  Ed25519: [{ name: "Ed25519" }, { name: "Ed25519" }],
  PS256: [RSA, { name: "RSA-PSS", saltLength: 32 }],
};

/**
 * Key pair of DPoP proofs. Tokens are bound to it: a token whose key is lost
 * cannot be used.
 *
 * @example
 * ```ts
 * import { DpopKey } from "@carteiro/oauth2/dpop";
 *
 * const key = await DpopKey.generate();
 * console.assert(key.thumbprint.length === 43);
 * console.assert(!key.keyPair.privateKey.extractable);
 * const restored = await DpopKey.import(key.keyPair);
 * console.assert(restored.thumbprint === key.thumbprint);
 * ```
 */
export class DpopKey extends Inspectable {
  /** Signature algorithm. */
  readonly algorithm: DpopAlgorithm;
  /** Public key, as in the header of proofs. */
  readonly publicJwk: Readonly<Record<string, string>>;
  /**
   * SHA-256 thumbprint of the public key: `dpop_jkt` of an authorization
   * request (RFC 9449 section 10), and `cnf.jkt` of its tokens.
   */
  readonly thumbprint: string;
  #keyPair: CryptoKeyPair;

  private constructor(
    algorithm: DpopAlgorithm,
    keyPair: CryptoKeyPair,
    publicJwk: RequiredJwk,
    thumbprint: string,
  ) {
    super();
    this.algorithm = algorithm;
    this.publicJwk = Object.freeze(publicJwk);
    this.thumbprint = thumbprint;
    this.#keyPair = keyPair;
  }

  /**
   * Generates a key pair.
   *
   * @throws {TypeError} If the algorithm is not supported.
   */
  static async generate(options: DpopKeyOptions = {}): Promise<DpopKey> {
    checkNames(options, OPTIONS);
    const { algorithm = "ES256", extractable = false } = options;
    const keyPair = await crypto.subtle.generateKey(
      parametersOf(algorithm)[0] as unknown as EcKeyGenParams,
      extractable,
      ["sign", "verify"],
    );
    return await DpopKey.#create(algorithm, keyPair);
  }

  /**
   * Imports a key pair of Web Crypto, e.g. from IndexedDB, or a private JWK.
   * The algorithm follows from the key, by default `EdDSA` of an Ed25519 key.
   *
   * @throws {TypeError} If the key cannot sign proofs.
   */
  static async import(
    source: WebCryptoKeyPair | Jwk,
    options: DpopKeyOptions = {},
  ): Promise<DpopKey> {
    checkNames(options, OPTIONS);
    const isEd25519 = options.algorithm === "Ed25519";
    if (isKeyPair(source)) {
      const found = algorithmOf(source.privateKey?.algorithm);
      const key = await DpopKey.#create(
        found === "EdDSA" && isEd25519 ? "Ed25519" : found,
        source as CryptoKeyPair,
      );
      await key.#checkPair();
      return key;
    }
    const { kty, crv } = source;
    const algorithm = kty === "EC" && crv === "P-256"
      ? "ES256"
      : kty === "OKP" && crv === "Ed25519"
      ? isEd25519 ? "Ed25519" : "EdDSA"
      : kty === "RSA"
      ? "PS256"
      : refuse("it must be EC with P-256, OKP with Ed25519, or RSA");
    const publicJwk = requiredMembers({ ...source });
    if (!publicJwk || !source.d) refuse("it must be a private JWK");
    const [parameters] = ALGORITHMS[algorithm];
    const { alg: _, use: __, key_ops: ___, ext: ____, ...jwk } = source;
    const load = (
      jwk: Jwk,
      extractable: boolean,
      usage: "sign" | "verify",
    ) =>
      crypto.subtle.importKey(
        "jwk",
        jwk as JsonWebKey,
        parameters as unknown as EcKeyImportParams,
        extractable,
        [usage],
      );
    const { extractable = false } = options;
    const keyPair = await Promise.all([
      load(jwk, extractable, "sign"),
      load(publicJwk, true, "verify"),
    ]).catch(() => refuse("it is invalid"));
    const key = await DpopKey.#create(algorithm, {
      privateKey: keyPair[0],
      publicKey: keyPair[1],
    });
    await key.#checkPair();
    return key;
  }

  static async #create(
    algorithm: DpopAlgorithm,
    keyPair: CryptoKeyPair,
  ): Promise<DpopKey> {
    const { modulusLength = Infinity } = keyPair.privateKey
      .algorithm as Partial<RsaHashedKeyAlgorithm>;
    if (modulusLength < 2048) refuse("RSA keys must have 2048 bits or more");
    const exported = await crypto.subtle.exportKey("jwk", keyPair.publicKey)
      .catch(() => refuse("its public key cannot be exported"));
    const publicJwk = requiredMembers({ ...exported })!;
    return new DpopKey(
      algorithm,
      keyPair,
      publicJwk,
      await thumbprintOf(publicJwk),
    );
  }

  /** Key pair, for storage in IndexedDB. */
  get keyPair(): WebCryptoKeyPair {
    return this.#keyPair;
  }

  /**
   * Exports the private key as a JWK. Keep it as safe as the tokens.
   *
   * @throws {TypeError} If the key is not extractable.
   */
  async exportJwk(): Promise<Jwk> {
    const { privateKey } = this.#keyPair;
    if (!privateKey.extractable) {
      throw invalid(
        "Cannot export the DPoP key: it is not extractable",
      );
    }
    const { key_ops: _, ext: __, ...jwk } = await crypto.subtle.exportKey(
      "jwk",
      privateKey,
    );
    return { ...jwk };
  }

  /** Signs a proof (RFC 9449 section 4.2). */
  async prove(request: ProofRequest): Promise<string> {
    const { method, url, iat, jti, token, nonce } = request;
    const { origin, pathname } = new URL(url);
    const header = {
      typ: "dpop+jwt",
      alg: this.algorithm,
      jwk: this.publicJwk,
    };
    const claims = {
      jti,
      htm: method,
      htu: origin + pathname,
      iat,
      ...token !== undefined && { ath: await sha256(token) },
      ...nonce !== undefined && { nonce },
    };
    const encoder = new TextEncoder();
    const text = [header, claims]
      .map((part) => toBase64Url(encoder.encode(JSON.stringify(part))))
      .join(".");
    const signature = await this.#sign(encoder.encode(text));
    return `${text}.${toBase64Url(new Uint8Array(signature))}`;
  }

  /** Returns algorithm and thumbprint, without the private key. */
  override toJSON(): Record<string, unknown> {
    return { algorithm: this.algorithm, thumbprint: this.thumbprint };
  }

  #sign(data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
    return crypto.subtle.sign(
      ALGORITHMS[this.algorithm][1] as unknown as EcdsaParams,
      this.#keyPair.privateKey,
      data,
    );
  }

  /** Refuses two keys that are not a pair: every proof would be invalid. */
  async #checkPair(): Promise<void> {
    const data = new Uint8Array(1);
    const isPair = await crypto.subtle.verify(
      ALGORITHMS[this.algorithm][1] as unknown as EcdsaParams,
      this.#keyPair.publicKey,
      await this.#sign(data),
      data,
    ).catch(() => false);
    if (!isPair) refuse("its private and public key do not match");
  }
}

function parametersOf(algorithm: DpopAlgorithm) {
  if (Object.hasOwn(ALGORITHMS, algorithm)) return ALGORITHMS[algorithm];
  throw invalid(
    `Cannot use the algorithm "${algorithm}": it must be one of ${
      Object.keys(ALGORITHMS).join(", ")
    }`,
  );
}

/** Returns the algorithm of a key of Web Crypto. */
function algorithmOf(algorithm: KeyAlgorithm | undefined): DpopAlgorithm {
  const { name, namedCurve, hash } = Object(algorithm);
  if (name === "ECDSA" && namedCurve === "P-256") return "ES256";
  if (name === "Ed25519") return "EdDSA";
  if (name === "RSA-PSS" && hash?.name === "SHA-256") return "PS256";
  return refuse(
    "it must be ECDSA with P-256, Ed25519, or RSA-PSS with SHA-256",
  );
}

function isKeyPair(source: WebCryptoKeyPair | Jwk): source is WebCryptoKeyPair {
  return "privateKey" in source;
}

function refuse(state: string): never {
  throw invalid(`Cannot use the DPoP key: ${state}`);
}
