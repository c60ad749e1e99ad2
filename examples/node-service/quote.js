/**
 * `GET /cotacao?cep=01310-100&peso=2.5`: quote of the carrier for a parcel.
 *
 * @module
 */
import { DatabaseError, parseCep } from "@carteiro/cep";
import { TimeoutError } from "@carteiro/oauth2";

const HEAVIEST_KILOS = 30;

/** Creates the handler of the route. */
export function createQuote({ store, carrier, logger }) {
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
      const { price_cents, days } = await carrier.quote({
        postal_code: cep,
        city: cidade,
        state: uf,
        weight_kg: kilos,
      });
      return Response.json({
        cep,
        cidade,
        uf,
        valor_centavos: price_cents,
        prazo_dias: days,
      });
    } catch (error) {
      // The messages of the library contain no secrets.
      logger.error("Cannot quote", { error: String(error) });
      if (error instanceof DatabaseError) return notReady();
      return error instanceof TimeoutError
        ? refuse(504, "carrier_timeout", "A transportadora não respondeu.")
        : refuse(502, "carrier_failed", "A transportadora falhou.");
    }
  };
}

/** Creates an error response of the same form as those of `@carteiro/cep`. */
function refuse(status, code, error) {
  return Response.json({ error, code }, { status });
}

function notReady() {
  const error = "Base de dados indisponível: tente mais tarde.";
  return refuse(503, "database_not_ready", error);
}
