import { generate } from "selfsigned";

/** Certificate with its private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Creates a self-signed certificate; for `localhost`, also valid for 127.0.0.1.
 */
export async function makeCertificate(
  commonName: string,
): Promise<Certificate> {
  const { cert, private: key } = await generate(
    [{ name: "commonName", value: commonName }],
    { keyType: "ec", algorithm: "sha256" },
  );
  return { cert, key };
}
