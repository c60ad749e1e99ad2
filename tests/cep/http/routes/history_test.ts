import { assertEquals } from "@std/assert";
import { describeError, docsOf } from "../../../../cep/http/errors.ts";
import type { Entry } from "../../../../cep/store/mod.ts";
import { OpenedStore } from "../../_stores.ts";
import { Service } from "../../_service.ts";
import { entry, FACTS, fill } from "../../store/_release.ts";

/** Service of three releases: one street moves, one goes, one stays. */
async function open(): Promise<{ service: Service } & AsyncDisposable> {
  const opened = await OpenedStore.open({ path: ":memory:" });
  const street = (number: number, cep: string): Entry => entry(cep, { number });
  const releases = [
    ["25011", [
      street(1, "01310100"),
      street(2, "01310200"),
      street(3, "01310300"),
    ]],
    ["25012", [street(1, "01310400"), street(3, "01310300")]],
    ["25013", [street(1, "01310500"), street(3, "01310300")]],
  ] as const;
  for (const [dneVersion, all] of releases) {
    await fill(opened.store, all, { dneVersion });
  }
  const service = await Service.open({ store: opened.store });
  return {
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

async function bodyOf(service: Service, path: string) {
  const response = await service.ask(path);
  return [response.status, await response.json()];
}

const MOVED = {
  cep: "01310100",
  cep_novo: "01310400",
  release: "25012",
  alterado_em: FACTS.seededAt,
};
const AGAIN = {
  ...MOVED,
  cep: "01310400",
  cep_novo: "01310500",
  release: "25013",
};
const REMOVED = { ...MOVED, cep: "01310200", cep_novo: null };

const NONE = { total: 0, data: [], cursor: null };

const CASES: readonly [path: string, status: number, body: unknown][] = [
  ["/cep/01310-100/historico", 200, {
    ...NONE,
    total: 2,
    data: [MOVED, AGAIN],
  }],
  ["/cep/01310400/historico", 200, { ...NONE, total: 2, data: [MOVED, AGAIN] }],
  ["/cep/01310200/historico", 200, { ...NONE, total: 1, data: [REMOVED] }],
  ["/cep/01310300/historico", 200, NONE],
  ["/cep/01310999/historico", 404, describeError("cep_not_found").body],
  ["/cep/01310100", 404, {
    error: "CEP substituído: o novo é 01310-500.",
    code: "cep_replaced",
    docs: docsOf("cep_replaced"),
    cep_novo: "01310500",
    release: "25012",
  }],
  ["/cep/01310200", 404, {
    error: "CEP extinto: nenhum outro o substitui.",
    code: "cep_replaced",
    docs: docsOf("cep_replaced"),
    cep_novo: null,
    release: "25012",
  }],
];

for (const [path, status, body] of CASES) {
  Deno.test(`history returns ${status} for ${path}`, async () => {
    await using opened = await open();
    assertEquals(await bodyOf(opened.service, path), [status, body]);
  });
}

Deno.test("history returns its changes in pages", async () => {
  await using opened = await open();
  const path = "/cep/01310100/historico?limite=1";
  const [, first] = await bodyOf(opened.service, path);
  const { cursor } = first;
  assertEquals(first, { total: 2, data: [MOVED], cursor });
  const next = `${path}&cursor=${cursor}`;
  const [, second] = await bodyOf(opened.service, next);
  assertEquals(second, { total: 2, data: [AGAIN], cursor: null });
});
