import { assert, assertEquals, assertMatch } from "@std/assert";
import { BUCKETS } from "../../../../cep/http/traffic.ts";
import type { Freshness } from "../../../../cep/store/store.ts";
import {
  address,
  addresses,
  fakeStore,
  recordsStore,
  RELEASE,
} from "../../_records.ts";
import { type Call, Service } from "../../_service.ts";

const RECORDS = addresses(1_900_001, 3);

Deno.test("/metrics returns the text format of Prometheus", async () => {
  await using service = await open();
  await ask(service, "/cep/01900001");
  const response = await service.ask("/metrics");
  assertEquals(
    response.headers.get("content-type"),
    "text/plain; version=0.0.4; charset=utf-8",
  );
  assertEquals(response.headers.get("cache-control"), "no-store");
  const text = await response.text();
  const { samples, types } = parse(text);
  for (const name of samples.keys()) {
    const family = name.replace(/\{.*/, "").replace(
      /_(bucket|sum|count)$/,
      "",
    );
    assert(types.has(family) || types.has(name), `${name} has no type`);
  }
  assertEquals(text.endsWith("\n"), true);
});

Deno.test("/metrics returns a type, a help text and samples for every metric", async () => {
  await using service = await open();
  await ask(service, "/cep/01900001");
  const { types, helps, samples } = parse(await read(service));
  assert(types.size > 0);
  for (const family of types.keys()) {
    assertMatch(helps.get(family) ?? "", /^[A-Z].*\.$/, family);
    const values = [...samples].filter(([name]) => name.startsWith(family))
      .map(([, value]) => value);
    assert(values.length > 0, family);
    assert(values.every((value) => value >= 0), family);
  }
});

const LABELS: readonly (readonly [
  path: string,
  call: Call,
  labels: string,
])[] = [
  ["/cep/01900001", {}, 'method="GET",route="/cep/:cep",status="200"'],
  ["/cep/01900-001/", {}, 'method="GET",route="/cep/:cep",status="200"'],
  [
    "/cep/01900001",
    { method: "HEAD" },
    'method="HEAD",route="/cep/:cep",status="200"',
  ],
  [
    "/cep/01900001",
    { headers: { "if-none-match": "*" } },
    'method="GET",route="/cep/:cep",status="304"',
  ],
  ["/cep/secret", {}, 'method="GET",route="/cep/:cep",status="400"'],
  ["/cep/99999999", {}, 'method="GET",route="/cep/:cep",status="404"'],
  ["/cep", {}, 'method="GET",route="/cep",status="400"'],
  ["/debug/list?prefix=0", {}, 'method="GET",route="/debug/list",status="200"'],
  ["/debug/count/", {}, 'method="GET",route="/debug/count",status="200"'],
  ["/debug/stats", {}, 'method="GET",route="/debug/stats",status="200"'],
  ["/livez", {}, 'method="GET",route="/livez",status="200"'],
  ["/healthcheck", {}, 'method="GET",route="/healthcheck",status="200"'],
  ["/secret/path", {}, 'method="GET",route="unknown",status="404"'],
  ['/secret"\n', {}, 'method="GET",route="unknown",status="404"'],
  ["/unknown", {}, 'method="GET",route="unknown",status="404"'],
  [
    "/cep/01900001",
    { method: "POST" },
    'method="POST",route="/cep/:cep",status="405"',
  ],
  [
    "/cep/01900001",
    { method: "SECRET" },
    'method="other",route="/cep/:cep",status="405"',
  ],
  [
    "/secret",
    { method: "other" },
    'method="other",route="unknown",status="404"',
  ],
  [
    "/cep/01900001",
    {
      method: "OPTIONS",
      headers: {
        origin: "https://secret.test",
        "access-control-request-method": "GET",
      },
    },
    'method="OPTIONS",route="/cep/:cep",status="204"',
  ],
];

for (const [path, call, labels] of LABELS) {
  const title = `${call.method ?? "GET"} ${JSON.stringify(path)}`;
  Deno.test(`/metrics counts ${title} as ${labels}`, async () => {
    await using service = await open();
    await ask(service, path, call);
    const { samples } = parse(await read(service));
    const counted = [...samples].filter(([name]) =>
      name.startsWith("http_requests_total")
    );
    assertEquals(counted, [[`http_requests_total{${labels}}`, 1]]);
    const raw = /secret|01900|99999/i;
    assertEquals([...samples.keys()].filter((name) => raw.test(name)), []);
  });
}

Deno.test("/metrics times requests by the clock of the options", async () => {
  let time = 0;
  const store = fakeStore({
    findJson() {
      time += 2;
      return Promise.resolve(undefined);
    },
    release: () => Promise.resolve(RELEASE),
  });
  await using service = await Service.open({ store, now: () => time });
  await ask(service, "/cep/01900001");
  const { samples } = parse(await read(service));
  const bucket = (limit: string) =>
    samples.get(
      `http_request_duration_seconds_bucket{le="${limit}",route="/cep/:cep"}`,
    );
  assertEquals(bucket("0.001"), 0);
  assertEquals(bucket("0.0025"), 1);
  assertEquals(bucket("+Inf"), 1);
  assertEquals(
    samples.get('http_request_duration_seconds_sum{route="/cep/:cep"}'),
    0.002,
  );
});

Deno.test("/metrics counts the bytes of sent bodies", async () => {
  await using service = await open();
  const name = 'http_response_bytes_total{route="/cep/:cep"}';
  const plain = await service.ask("/cep/01900001");
  const bytes = (await plain.bytes()).length;
  assertEquals(parse(await read(service)).samples.get(name), bytes);

  await ask(service, "/cep/01900001", { method: "HEAD" });
  await ask(service, "/cep/01900001", { headers: { "if-none-match": "*" } });
  assertEquals(parse(await read(service)).samples.get(name), bytes);
});

Deno.test("/metrics counts records from memory and from the database", async () => {
  const store = fakeStore({
    release: () => Promise.resolve(RELEASE),
    findJson: (cep) =>
      Promise.resolve(
        cep === "99999999" ? undefined : {
          json: "{}",
          release: RELEASE,
          fromMemory: cep === "01900001",
        },
      ),
  });
  await using service = await Service.open({ store });
  const codes = ["01900001", "01900002", "01900-001", "99999999", "01900001"];
  for (const code of codes) await ask(service, `/cep/${code}`);
  const { samples } = parse(await read(service));
  assertEquals(samples.get("cep_cache_hits_total"), 3);
  assertEquals(samples.get("cep_cache_misses_total"), 1);
});

Deno.test("/metrics identifies the release after each import", async () => {
  const store = recordsStore();
  await using service = await Service.open({ store });
  const release = async () => {
    const { samples } = parse(await read(service));
    return [...samples].filter(([name]) => /^cep_(records|release)/.test(name));
  };
  assertEquals(await release(), [
    ["cep_records", 0],
    ["cep_release_timestamp_seconds", 0],
  ]);
  const seeded = Date.parse(RELEASE.seededAt) / 1000;
  for (const [id, records] of [[1, RECORDS], [2, [address()]]] as const) {
    store.publish(records);
    assertEquals(await release(), [
      ["cep_records", records.length],
      ["cep_release_timestamp_seconds", seeded],
      [`cep_release_info{dne_version="26011",release="0000000${id}"}`, 1],
    ]);
  }
});

const AGES: readonly (readonly [
  freshness: Freshness | undefined,
  least: number,
  most: number,
])[] = [
  [undefined, 0, 0],
  [{ syncedAt: null }, Infinity, Infinity],
  [{ syncedAt: null, error: "secret" }, Infinity, Infinity],
  [{ syncedAt: "9999-01-01T00:00:00.000Z" }, 0, 0],
  [{ syncedAt: "1970-01-01T00:00:00.000Z" }, 1.7e9, 1e10],
  [{ syncedAt: "1970-01-01T00:00:00.000Z", error: "secret" }, 1.7e9, 1e10],
];

for (const [freshness, least, most] of AGES) {
  Deno.test(`/metrics returns the age of data with freshness ${JSON.stringify(freshness)}`, async () => {
    const store = recordsStore(RECORDS, { freshness: () => freshness });
    await using service = await Service.open({ store });
    const text = await read(service);
    const age = parse(text).samples.get("cep_sync_age_seconds")!;
    assert(age >= least && age <= most, `${age}`);
    assertEquals(text.includes("secret"), false);
  });
}

Deno.test("/metrics counts every request in one bucket of the histogram", async () => {
  let time = 0;
  const store = fakeStore({ release: () => Promise.resolve(RELEASE) });
  await using service = await Service.open({
    store,
    now: () => time += 0.4,
    config: { logLevel: "info" },
  });
  for (let i = 0; i < 3; i++) await ask(service, "/debug/count");
  const { samples } = parse(await read(service));
  const name = "http_request_duration_seconds";
  const route = 'route="/debug/count"';
  const buckets = [...samples].filter(([sample]) =>
    sample.startsWith(`${name}_bucket`) && sample.includes(route)
  );
  assertEquals(
    buckets.map(([, count]) => count),
    [...BUCKETS, Infinity].map((limit) => limit < 0.0004 ? 0 : 3),
  );
  assertEquals(buckets.at(-1)?.[0], `${name}_bucket{le="+Inf",${route}}`);
  assertEquals(samples.get(`${name}_count{${route}}`), 3);
});

Deno.test("/metrics responds while the database cannot be read", async () => {
  await using service = await Service.open({ store: fakeStore() });
  const response = await service.ask("/metrics");
  assertEquals(response.status, 200);
  assertEquals(parse(await response.text()).samples.get("cep_records"), 0);
});

Deno.test("/metrics identifies the build", async () => {
  await using service = await open();
  const { samples } = parse(await read(service));
  assertEquals(
    samples.get(
      'cep_build_info{version="1.2.3",commit="abc",repo="http://example.test"}',
    ),
    1,
  );
});

Deno.test("/metrics returns a constant start time of the process", async () => {
  await using service = await open();
  const starts = new Set<number>();
  for (let i = 0; i < 20; i++) {
    const { samples } = parse(await read(service));
    starts.add(samples.get("process_start_time_seconds") ?? 0);
  }
  const [start = 0, ...others] = starts;
  assertEquals(others, []);
  assert(start > 1.6e9 && start * 1000 <= Date.now());
});

Deno.test("/metrics follows the naming conventions of Prometheus", async () => {
  await using service = await open();
  await ask(service, "/cep/01900001");
  const { types, samples } = parse(await read(service));
  for (const [family, type] of types) {
    assertMatch(family, /^[a-z][a-z0-9_]*$/);
    assertEquals(family.endsWith("_total"), type === "counter", family);
    assertEquals(/_(count|sum|bucket)$/.test(family), false, family);
    assertEquals(/milli|micro|kilo|minutes/.test(family), false, family);
  }
  const infos = [...samples].filter(([name]) => /_info\{/.test(name));
  assert(infos.length > 0);
  for (const [name, value] of infos) assertEquals(value, 1, name);
});

Deno.test("/metrics is an unknown route if disabled", async () => {
  await using service = await Service.open({
    records: RECORDS,
    config: { metrics: false },
  });
  const response = await service.ask("/metrics");
  assertEquals(response.status, 404);
  assertEquals((await response.json()).code, "route_not_found");
  assertEquals((await service.ask("/cep/01900001")).status, 200);
});

function open(): Promise<Service> {
  return Service.open({ records: RECORDS });
}

async function ask(service: Service, path: string, call?: Call) {
  await (await service.ask(path, call)).body?.cancel();
}

async function read(service: Service): Promise<string> {
  return await (await service.ask("/metrics")).text();
}

interface Figures {
  /** Reads values by name and labels. */
  readonly samples: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, string>;
  readonly helps: ReadonlyMap<string, string>;
}

const LABEL = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`;
const SAMPLE = new RegExp(
  String.raw`^([a-zA-Z_:][\w:]*(?:\{${LABEL}(?:,${LABEL})*\})?) (\S+)$`,
);

/** Reads Prometheus' text format 0.0.4, strictly. */
function parse(text: string): Figures {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  const helps = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, family, type] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
    if (family && type) {
      assert(!types.has(family), `two types: ${line}`);
      types.set(family, type);
      continue;
    }
    const [, helped, help] = /^# HELP ([\w:]+) (\S.*)$/.exec(line) ?? [];
    if (helped && help) helps.set(helped, help);
    if (line === "" || helped) continue;
    const [, name, value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`no sample: ${line}`);
    assert(!samples.has(name), `twice: ${name}`);
    const number = value === "+Inf" ? Infinity : Number(value);
    assert(!Number.isNaN(number), line);
    samples.set(name, number);
  }
  return { samples, types, helps };
}

Deno.test("/metrics tells the load of the searches, and the lag of the event loop", async () => {
  const load = {
    threads: 2,
    busy: 1,
    waiting: 7,
    waitedSeconds: 1.5,
    refused: 3,
    failedThreads: 4,
    overBudget: 5,
  };
  const store = recordsStore(RECORDS, { searchLoad: () => load });
  await using service = await Service.open({
    store,
    eventLoopLag: () => 0.25,
  });
  const { samples } = parse(await read(service));
  assertEquals(
    [
      "cep_search_threads",
      "cep_search_busy_threads",
      "cep_search_queue_length",
      "cep_search_wait_seconds_total",
      "cep_search_refused_total",
      "cep_search_thread_failures_total",
      "cep_search_over_budget_total",
      "cep_event_loop_lag_seconds",
    ].map((name) => samples.get(name)),
    [2, 1, 7, 1.5, 3, 4, 5, 0.25],
  );
});
