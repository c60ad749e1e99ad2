import { HttpError } from "../errors.ts";
import type { Route } from "../exchange.ts";

/** Route of all paths that match no other. */
export const UNKNOWN: Route = {
  id: "unknown",
  pattern: "unknown",
  summary: { en: "no such route", pt: "rota inexistente" },
  parameters: [],
  lenient: true,
  answers: {},
  errors: ["route_not_found"],
  handle() {
    throw new HttpError("route_not_found");
  },
};
