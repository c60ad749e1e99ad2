import { DJANGO_OAUTH_TOOLKIT } from "./django_oauth_toolkit.ts";
import { KEYCLOAK } from "./keycloak.ts";
import { MOCK_OAUTH2_SERVER } from "./mock_oauth2_server.ts";
import type { Kind } from "./server.ts";

/** All servers, by the names they have on the command line. */
export const KINDS: Readonly<Record<string, Kind>> = {
  mock: MOCK_OAUTH2_SERVER,
  keycloak: KEYCLOAK,
  django: DJANGO_OAUTH_TOOLKIT,
};
