import { assertEquals } from "@std/assert";
import { CALLERS } from "../../scripts/bench/tokens.ts";

for (const [name, makeCall] of Object.entries(CALLERS)) {
  Deno.test(`CALLERS.${name} sends the same request as the others and returns the token`, async () => {
    const requests: Request[] = [];
    const call = makeCall((url, init) => {
      requests.push(new Request(url, init));
      return Promise.resolve(
        Response.json({ access_token: "monkey", token_type: "Bearer" }),
      );
    });
    assertEquals(await call(), "monkey");
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
