/**
 * Both modules of Carteiro under one name: `cep`, a self-hosted service for
 * Brazilian postal codes, and `oauth2`, an OAuth 2.0 client.
 *
 * @example
 * ```ts
 * import { cep } from "@carteiro/kit";
 *
 * console.log(cep.parseCep("01.310-100")); // "01310100"
 * ```
 *
 * @module
 */
export * as cep from "@carteiro/cep";
export * as oauth2 from "@carteiro/oauth2";
