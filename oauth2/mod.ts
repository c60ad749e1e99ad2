/**
 * The table of contents of `@carteiro/oauth2`, an OAuth 2.0 client library on
 * fetch and Web Crypto. It is empty in this version: the client, token and
 * response come with their own release.
 *
 * @module
 */
export {};
