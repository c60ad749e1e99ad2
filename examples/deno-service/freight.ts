/**
 * `GET /frete?cep=01310-100&peso=2.5`: price and delivery time of a parcel.
 *
 * @module
 */
import { parseCep, type Store } from "@carteiro/cep";

/** Options of {@linkcode createFreight}. */
export interface FreightOptions {
  /** Store of the records. */
  readonly store: Store;
  /** Logger of failures. */
  readonly logger: {
    error(message: string, properties: Record<string, unknown>): void;
  };
}

/** Region with its prices in cents. */
interface Region {
  readonly states: readonly string[];
  readonly base: number;
  readonly perKilo: number;
  readonly days: number;
}

const REGIONS: readonly Region[] = [
  { states: ["SP"], base: 990, perKilo: 180, days: 2 },
  { states: ["ES", "MG", "RJ"], base: 1490, perKilo: 260, days: 3 },
  { states: ["PR", "RS", "SC"], base: 1690, perKilo: 310, days: 4 },
  { states: ["DF", "GO", "MS", "MT"], base: 1890, perKilo: 380, days: 5 },
];
const ELSEWHERE = { base: 2490, perKilo: 520, days: 9 };

const HEAVIEST_KILOS = 30;

/** Creates the handler of the route. */
export function createFreight(
  { store, logger }: FreightOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!["GET", "HEAD"].includes(request.method)) {
      return refuse(405, "method_not_allowed", "Use GET ou HEAD.");
    }
    const { searchParams } = new URL(request.url);
    const cep = parseCep(searchParams.get("cep") ?? "");
    if (cep === undefined) {
      return refuse(400, "cep_invalid", "Informe o CEP com oito dígitos.");
    }
    const kilos = Number(searchParams.get("peso") ?? 1);
    if (!(kilos > 0 && kilos <= HEAVIEST_KILOS)) {
      const limit = `maior que 0 e até ${HEAVIEST_KILOS}`;
      return refuse(400, "peso_invalid", `Informe o peso em kg, ${limit}.`);
    }
    try {
      if (await store.release() === undefined) return notReady();
      const address = await store.find(cep);
      if (address === undefined) {
        return refuse(404, "cep_not_found", "CEP não encontrado.");
      }
      const { cidade, uf } = address;
      const { base, perKilo, days } = REGIONS.find(({ states }) =>
        states.includes(uf)
      ) ?? ELSEWHERE;
      return Response.json({
        cep,
        cidade,
        uf,
        valor_centavos: base + Math.ceil(kilos * perKilo),
        prazo_dias: days,
      });
    } catch (error) {
      // The database cannot be read now; the next request may succeed.
      logger.error("Cannot find the address", { error: String(error) });
      return notReady();
    }
  };
}

/** Creates an error response of the same form as those of `@carteiro/cep`. */
function refuse(status: number, code: string, error: string): Response {
  return Response.json({ error, code }, { status });
}

function notReady(): Response {
  const error = "Base de dados indisponível: tente mais tarde.";
  return refuse(503, "database_not_ready", error);
}
