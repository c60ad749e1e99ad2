/** Calls that the bench compares. */
import { assertEquals } from "@std/assert";
import { CALLERS, makeTokenCalls } from "../../scripts/bench/token_calls.ts";

for (const name of CALLERS) {
  Deno.test(`the token call of ${name} sends the request of all, and gives the token`, async () => {
    const requests: Request[] = [];
    const calls = makeTokenCalls((url, init) => {
      requests.push(new Request(url, init));
      return Promise.resolve(
        Response.json({ access_token: "monkey", token_type: "Bearer" }),
      );
    });
    assertEquals(await calls[name](), "monkey");
    const [request, ...more] = requests;
    assertEquals(more.length, 0);
    assertEquals(
      [request?.method, request?.url, request?.headers.get("authorization")],
      [
        "POST",
        "https://provider.example/oauth/token",
        "Basic YWJjOnNlY3JldA==",
      ],
    );
    assertEquals(Object.fromEntries(await request!.formData()), {
      grant_type: "client_credentials",
      scope: "read",
    });
  });
}
