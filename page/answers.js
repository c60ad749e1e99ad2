/** Answers to the rows of a table: how sure they are, and their columns. */
import { formatCep } from "./dom.js";

/** Score from which an answer rarely needs a look. */
const CERTAIN = 0.8;

/** Score below which the candidates have little in common with the address. */
const HOPELESS = 0.1;

/**
 * Kinds of an answer: `certain`, `check` if there are candidates, or `none`.
 * One that a person has confirmed is certain.
 */
export function kindOf({ cep, pontuacao, outros_ceps = [], confirmed }) {
  if (confirmed) return cep ? "certain" : "none";
  if (cep) return pontuacao >= CERTAIN ? "certain" : "check";
  return pontuacao >= HOPELESS && outros_ceps.length > 0 ? "check" : "none";
}

/** Possible CEPs of an answer, the likeliest first. */
export function candidatesOf({ cep, outros_ceps = [] }) {
  return [...new Set([cep, ...outros_ceps])].filter(Boolean);
}

/** Reason of an error, such as "cep deve ser um texto", `""` without one. */
export function reasonOf({ error = "", parametro, motivo }) {
  return [parametro, motivo].filter(Boolean).join(" ") || error;
}

const SITUATIONS = { certain: "certo", check: "conferir", none: "sem CEP" };

/** Columns that are added, most with their names of `MODE=match`. */
const ADDED = [
  ["situacao", situationOf],
  ["cep_encontrado", ({ cep }) => cep ? formatCep(cep) : ""],
  ["pontuacao", ({ pontuacao }) => pontuacao ?? ""],
  [
    "diferencas",
    ({ diferencas = [] }) => diferencas.map(({ campo }) => campo).join(" "),
  ],
  [
    "outros_ceps",
    ({ outros_ceps = [] }) => outros_ceps.map(formatCep).join(" "),
  ],
  ["logradouro_encontrado", ({ registro }) => registro?.logradouro ?? ""],
  ["complemento_encontrado", ({ registro }) => registro?.complemento ?? ""],
  ["bairro_encontrado", ({ registro }) => registro?.bairro ?? ""],
  ["cidade_encontrada", ({ registro }) => registro?.cidade ?? ""],
  ["uf_encontrada", ({ registro }) => registro?.uf ?? ""],
  ["codigo_ibge_encontrado", ({ registro }) => registro?.codigo_ibge ?? ""],
  ["parcial", ({ parcial }) => parcial ? "sim" : ""],
  ["erro", reasonOf],
];

function situationOf(answer) {
  return answer.confirmed ? "conferido" : SITUATIONS[kindOf(answer)];
}

/**
 * Rows of a table with the columns of their answers. Rows without an answer
 * keep these empty, and rows above the header stay there: no row is lost.
 */
export function answeredRows({ above, header, rows }, answers) {
  const names = [...header, ...ADDED.map(([name]) => name)];
  const answered = rows.map((row, i) => [
    ...header.map((_, cell) => row[cell] ?? ""),
    ...ADDED.map(([, valueOf]) => answers[i] ? valueOf(answers[i]) : ""),
  ]);
  return [...above, names, ...answered];
}
