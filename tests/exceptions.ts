/**
 * Exceptions of `deno task test:runtimes`, which runs the tests of `cep` and
 * `oauth2` on runtimes other than Deno: files that are skipped there, and tests
 * that run but must fail, with the reasons.
 */
/** Runtime, in any version. */
export type RuntimeName = "node" | "bun" | "workerd" | "chromium";

/** Reasons by the path of a file or a folder, or by the name of a test. */
export type Reasons = Readonly<Record<string, string>>;

const DENO_ONLY: Reasons = {
  "tests/oauth2/permissions_slow_test.ts": "only Deno has permissions",
  "tests/cep/permissions_slow_test.ts": "only Deno has permissions",
  "tests/cep/telemetry_slow_test.ts": "only Deno has OpenTelemetry built in",
  "tests/oauth2/readme_test.ts": "runs the deno command",
  "tests/oauth2/size_test.ts": "bundles the sources, not the package",
  "tests/oauth2/subpaths_test.ts": "bundles the sources, not the package",
  "tests/oauth2/manager/size_test.ts": "bundles the sources, not the package",
  "tests/oauth2/stores/deno_kv_store_test.ts": "only Deno has Deno KV",
  "tests/oauth2/readme_subpaths_test.ts":
    "bundles the sources, not the package",
  "tests/oauth2/sign_in/size_test.ts": "bundles the sources, not the package",
  "tests/cep/client/size_test.ts": "bundles the sources, not the package",
  "tests/oauth2/e2e/device_login_test.ts":
    "runs an example outside the package",
  "tests/oauth2/e2e/example_test.ts": "runs an example outside the package",
  "tests/oauth2/e2e/examples_test.ts": "reads examples outside the package",
  "tests/oauth2/e2e/login_test.ts": "runs examples outside the package",
  "tests/oauth2/e2e/service_test.ts": "runs an example outside the package",
  "tests/oauth2/e2e/web_login_test.ts": "runs an example outside the package",
};

const SERVICE: Reasons = {
  "tests/cep/": "the service is for Deno and Node; its client is in ADDED",
};

const NATIVE_CODE: Reasons = {
  "tests/oauth2/stores/libsql_store_test.ts": "libsql loads native code",
};

const SERVERS_AND_FILES: Reasons = {
  "tests/oauth2/e2e/back_channel_logout_test.ts": "starts servers",
  "tests/oauth2/e2e/compressed_test.ts": "starts servers",
  "tests/oauth2/e2e/e2e_test.ts":
    "starts servers; the files in ADDED use one of the runner",
  "tests/oauth2/e2e/fapi_test.ts": "starts servers",
  "tests/oauth2/e2e/features_test.ts": "starts servers",
  "tests/oauth2/e2e/mcp_test.ts": "starts servers",
  "tests/oauth2/e2e/session_test.ts": "starts servers",
  "tests/oauth2/e2e/sign_in_test.ts": "starts servers",
  "tests/oauth2/e2e/token_manager_test.ts": "starts servers",
  "tests/oauth2/e2e/verify_test.ts": "starts servers",
  "tests/oauth2/manager/processes_slow_test.ts": "starts processes",
  "tests/oauth2/session/node_test.ts": "starts a server",
  "tests/oauth2/stores/file_store_test.ts": "writes files",
  "tests/oauth2/vector_files_test.ts":
    "reads files; the vectors themselves run",
  "tests/oauth2/openid_vector_files_test.ts":
    "reads files; the vectors themselves run",
  "tests/oauth2/core/environment_test.ts": "starts processes",
  "tests/oauth2/verify/node_server_test.ts": "starts a server",
};

/** Files and folders that a runtime skips. */
export const SKIPPED: Readonly<Record<RuntimeName, Reasons>> = {
  node: DENO_ONLY,
  bun: {
    ...DENO_ONLY,
    ...SERVICE,
    ...NATIVE_CODE,
    "tests/oauth2/e2e/fapi_test.ts":
      "a TLS server on Bun does not know the certificate of the client",
  },
  workerd: {
    ...DENO_ONLY,
    ...SERVICE,
    ...SERVERS_AND_FILES,
    ...NATIVE_CODE,
  },
  chromium: {
    ...DENO_ONLY,
    ...SERVICE,
    ...SERVERS_AND_FILES,
    ...NATIVE_CODE,
    "tests/oauth2/node_keys_test.ts": "makes keys with node:crypto",
    "tests/oauth2/session/session_test.ts": "a browser hides Set-Cookie",
  },
};

/** Tests of the client of `cep`, which is for every runtime. */
const CEP_CLIENT = ["batch", "cache", "lookup", "options", "pages", "retry"]
  .concat("static_site")
  .map((name) => `tests/cep/client/${name}_test.ts`);

/** Files in skipped folders, and files for one runtime only. */
export const ADDED: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: [],
  bun: CEP_CLIENT,
  workerd: [...CEP_CLIENT, "tests/oauth2/e2e/_token_in_worker.ts"],
  chromium: [...CEP_CLIENT, "tests/oauth2/e2e/_token_in_page.ts"],
};

const NO_COOKIES = "a script cannot set the cookies of a request";
const NO_USER_AGENT = "a page cannot set User-Agent, which the test expects";

/** Tests that fail on a runtime because its platform differs. */
export const FAILING: Readonly<
  Record<RuntimeName, Readonly<Record<string, Reasons>>>
> = {
  node: {},
  bun: {
    "tests/oauth2/core/token_test.ts": {
      "mode reads a map by the verb in any letter case, and ignores inherited names":
        "a Request turns an unknown method into GET",
    },
  },
  workerd: {
    "tests/oauth2/core/token_test.ts": {
      "mode reads a map by the verb in any letter case, and ignores inherited names":
        "a Request refuses an unknown method",
    },
  },
  chromium: {
    "tests/cep/client/options_test.ts": {
      "createCepClient refuses a relative URL":
        "a page resolves it against its own URL",
    },
    "tests/oauth2/sign_in/seal_test.ts": {
      "unseal reads the cookie of a request": NO_COOKIES,
      "unseal returns the first valid cookie of several": NO_COOKIES,
    },
    "tests/oauth2/core/redirects_test.ts": {
      "request sends no credentials to another origin that the client allows":
        NO_USER_AGENT,
      "request sends no credentials to another origin that the call allows":
        NO_USER_AGENT,
    },
  },
};
