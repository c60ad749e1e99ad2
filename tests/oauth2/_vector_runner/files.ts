/** Files of vectors, imported one by one for runtimes without a file system. */
import logging from "../vectors/logging.json" with { type: "json" };
import parsing from "../vectors/parsing.json" with { type: "json" };
import refreshRevoke from "../vectors/refresh_revoke.json" with {
  type: "json",
};
import requests from "../vectors/requests.json" with { type: "json" };
import token from "../vectors/token.json" with { type: "json" };
import tokenRequest from "../vectors/token_request.json" with { type: "json" };
import tokenResponse from "../vectors/token_response.json" with {
  type: "json",
};
import urls from "../vectors/urls.json" with { type: "json" };
import usingToken from "../vectors/using_token.json" with { type: "json" };
import type { Vector } from "./vector.ts";

/** Content of a file. */
interface VectorFile {
  readonly vectors: readonly Vector[];
}

/** Files by name. */
export const FILES = {
  "logging.json": logging,
  "parsing.json": parsing,
  "refresh_revoke.json": refreshRevoke,
  "requests.json": requests,
  "token.json": token,
  "token_request.json": tokenRequest,
  "token_response.json": tokenResponse,
  "urls.json": urls,
  "using_token.json": usingToken,
} as unknown as Readonly<Record<string, VectorFile>>;

/** All vectors. */
export const VECTORS: readonly Vector[] = Object.values(FILES)
  .flatMap(({ vectors }) => vectors);
