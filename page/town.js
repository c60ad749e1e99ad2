/** Card of a municipality: state, codes, ranges, neighbourhoods. */
import { get } from "./api.js";
import {
  count,
  element,
  fill,
  find,
  formatCep,
  texts,
  withLanguage,
} from "./dom.js";

/** Number of neighbourhoods that are listed. */
const MAX_NEIGHBOURHOODS = 100;

/** Fetches a municipality by its IBGE code. Returns the parts of its card. */
export async function townCard(ibge) {
  const path = `municipios/${ibge}`;
  const [town, neighbourhoods] = await Promise.all([
    get(path),
    get(`${path}/bairros?limite=${MAX_NEIGHBOURHOODS}`),
  ]);
  const { nome, uf, ddd, siafi, cep } = town;
  const state = find(`#uf-${uf}`)?.dataset.name ?? uf;
  const { data, total } = neighbourhoods;
  const rows = [
    [texts.townParts.town, nome],
    [texts.townParts.state, `${state} (${uf})`],
    [texts.townParts.ibge, ibge],
    [texts.townParts.ddd, ddd],
    [texts.townParts.siafi, siafi],
    [texts.townParts.cep, cep && formatCep(cep)],
    [texts.townParts.ranges, rangesOf(town) || (cep ? "" : texts.noRanges)],
  ].filter(([, value]) => value);
  const list = data.map((it) => toNeighbourhood(it, town));
  if (total > data.length) {
    list.push(element("li", {
      textContent: fill(texts.andMore, { n: count(total - data.length) }),
    }));
  }
  return [
    element("dl", { className: "facts" }, ...rows.map(toRow)),
    ...list.length > 0
      ? [
        element("h3", {
          textContent: fill(texts.neighbourhoods, { n: count(total) }),
        }),
        element("ul", { className: "columns" }, ...list),
      ]
      : [],
  ];
}

function toRow([name, value]) {
  return element(
    "div",
    {},
    element("dt", { textContent: name }),
    element("dd", { textContent: value }),
  );
}

function toNeighbourhood(neighbourhood, { nome, uf }) {
  const q = `${neighbourhood.nome}, ${nome} ${uf}`;
  return element(
    "li",
    {},
    element("a", {
      href: `?${withLanguage({ q })}`,
      textContent: neighbourhood.nome,
    }),
    element("span", { className: "of", textContent: rangesOf(neighbourhood) }),
  );
}

function rangesOf({ faixas }) {
  return (faixas ?? []).map(({ inicio, fim }) =>
    `${formatCep(inicio)} – ${formatCep(fim)}`
  ).join(", ");
}
