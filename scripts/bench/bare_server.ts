/** Body of the usual length of a record. */
const BODY = JSON.stringify("x".repeat(306));
const HEADERS = { "content-type": "application/json" };

// The minimum for a response of Deno.
if (import.meta.main) {
  const port = Number(Deno.env.get("API_PORT"));
  Deno.serve(
    { hostname: "127.0.0.1", port, onListen() {} },
    () => new Response(BODY, { headers: HEADERS }),
  );
}
