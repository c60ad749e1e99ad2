/**
 * Paths that lead nowhere.
 *
 * @module
 */
import { HttpError } from "../errors.ts";
import type { Route } from "../exchange.ts";

/** Answers where no other route does. */
export const UNKNOWN: Route = {
  pattern: "unknown",
  summary: { en: "no such route", pt: "rota inexistente" },
  parameters: [],
  answers: {},
  errors: ["route_not_found"],
  handle() {
    throw new HttpError("route_not_found");
  },
};
