/** Certificates for tests on every runtime. */

/**
 * Certificate of RFC 9440 appendix A. Its thumbprint, with the PEM of the text:
 * openssl x509 -outform DER | openssl dgst -sha256 -binary | basenc --base64url
 */
export const BASE64 =
  "MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRo" +
  "ZW50aWNhdGUxGzAZBgNVBAMMEkxBIEludGVybWVkaWF0ZSBDQTAeFw0yMDAxMTQyMjU1" +
  "MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFkwEwYHKoZIzj0CAQYIKoZI" +
  "zj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8OthxM4" +
  "+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBRm" +
  "3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf8EBAMCBsAwEwYDVR0lBAwwCgYIKwYB" +
  "BQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gA" +
  "MEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5" +
  "r5XarmPk0wmuydBVoU4hBVZ1yhk=";
const LINES = BASE64.match(/.{1,64}/g)!.join("\n");
/** The certificate as PEM. */
export const PEM =
  `-----BEGIN CERTIFICATE-----\n${LINES}\n-----END CERTIFICATE-----\n`;
/** The certificate as DER. */
export const DER = Uint8Array.from(atob(BASE64), (char) => char.charCodeAt(0));
/** Its thumbprint, `x5t#S256`. */
export const THUMBPRINT = "v68ffgcPn6jdYpBfFY2nP4ShE2Yk-6_Mk5PI9yh6aes";

/** Certificate with another signature, as PEM. */
export const OTHER_PEM = PEM.replace("yhk=", "yhg=");
