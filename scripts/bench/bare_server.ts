/**
 * The least that Deno can do for an answer: a constant body, as long as a
 * record usually is. Listens on the port that is its only argument.
 *
 * @module
 */
const BODY = JSON.stringify({
  cep: "12345678",
  logradouro: "Rua das Laranjeiras Azuis",
  complemento: "de 100 a 298 - lado par",
  bairro: "Jardim das Invenções",
  distrito: "",
  cidade: "Exemplo da Serra",
  uf: "SP",
  codigo_ibge: "3590000",
  tipo_logradouro: "Rua",
  tipo_origem: "logradouro",
  nome: "",
  nome_origem: "LOG_LOGRADOURO_SP.TXT",
});

const HEADERS = { "content-type": "application/json" };

if (import.meta.main) {
  Deno.serve({
    hostname: "127.0.0.1",
    port: Number(Deno.args[0]),
    onListen() {},
  }, () => new Response(BODY, { headers: HEADERS }));
}
