/** Servers that the cluster tests start. */
import { Link } from "./_link.ts";
import { Redis } from "./_redis.ts";
import { query, Sqld, SqldKeys } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { once } from "node:events";
import { connect } from "node:net";

const testWithSqld = await testsWith("sqld");
const testWithRedis = await testsWith("redis");

/** Milliseconds until a replica must have what its primary has. */
const PATIENCE_MS = 60_000;

/** Queries until the first row is the expected one. */
async function awaitRow(
  url: string,
  sql: string,
  expected: unknown[],
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  let row: unknown;
  do {
    row = await query(url, sql).then(([row]) => row, (error) => error.message);
  } while (
    JSON.stringify(row) !== JSON.stringify(expected) && Date.now() < deadline
  );
  assertEquals(row, expected);
}

testWithSqld("Sqld keeps what it committed before SIGKILL", async () => {
  await using server = await Sqld.start();
  await query(server.url, "CREATE TABLE t (a)");
  await query(server.url, "INSERT INTO t VALUES ('kept')");
  await server.kill();
  await assertRejects(() => query(server.url, "SELECT a FROM t"));
  await server.restart();
  assertEquals(await query(server.url, "SELECT a FROM t"), [["kept"]]);
});

testWithSqld(
  "Sqld replicates a primary, also after the link was cut",
  async () => {
    await using primary = await Sqld.start();
    await using link = await Link.open(primary.replicationPort);
    await query(primary.url, "CREATE TABLE t (a)");
    await query(primary.url, "INSERT INTO t VALUES ('first')");
    await using replica = await Sqld.start({ primary, primaryUrl: link.url });
    const last = "SELECT a FROM t ORDER BY rowid DESC";
    await awaitRow(replica.url, last, ["first"]);
    link.cut();
    await query(primary.url, "INSERT INTO t VALUES ('second')");
    // The first queries may still be sent to the primary.
    await awaitRow(replica.url, last, ["first"]);
    link.mend();
    await awaitRow(replica.url, last, ["second"]);
  },
);

testWithSqld("Sqld demands a token signed by its key", async () => {
  const keys = new SqldKeys();
  await using server = await Sqld.start({ keys });
  const { url } = server;
  assertEquals(await query(url, "SELECT 'a'", await keys.sign()), [["a"]]);
  await assertRejects(() => query(url, "SELECT 'a'"), Error, "401");
  const forged = await new SqldKeys().sign();
  await assertRejects(() => query(url, "SELECT 'a'", forged), Error, "401");
  const readOnly = await keys.sign("ro");
  assertEquals(await query(url, "SELECT 'a'", readOnly), [["a"]]);
  await assertRejects(() => query(url, "CREATE TABLE t (a)", readOnly));
});

/** Sends lines to a server, and returns the first chunk of its answer. */
async function ask(port: number, text: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port });
  try {
    socket.write(text);
    const [answer] = await once(socket, "data");
    return answer.toString();
  } finally {
    socket.destroy();
  }
}

testWithRedis("Redis answers, and again after SIGKILL, empty", async () => {
  await using server = await Redis.start();
  assertEquals(await ask(server.port, "SET a 1\r\n"), "+OK\r\n");
  assertEquals(await ask(server.port, "GET a\r\n"), "$1\r\n1\r\n");
  await server.kill();
  await assertRejects(() => ask(server.port, "GET a\r\n"));
  await server.restart();
  assertEquals(await ask(server.port, "GET a\r\n"), "$-1\r\n");
});

testWithRedis("Redis demands its password", async () => {
  await using server = await Redis.start({ password: "a secret/@" });
  assertEquals((await ask(server.port, "GET a\r\n")).slice(0, 7), "-NOAUTH");
  assertEquals(
    server.url,
    `redis://:a%20secret%2F%40@127.0.0.1:${server.port}`,
  );
});
