/** Neighbours, ranges and history of a record, fetched when they are opened. */
import { get } from "./api.js";
import {
  element,
  find,
  findAll,
  formatCep,
  recordItems,
  recordUrl,
  texts,
} from "./dom.js";
import { currentRecord } from "./record.js";
import { townCard } from "./town.js";

/** Neighbours on each side. */
const SIDE = 4;

const LOADERS = { near, neighbours, town, history: changes };

/** Loads each part when it is opened. */
export function enableAround() {
  for (const details of findAll("[data-load]")) {
    details.addEventListener("toggle", () => load(details));
  }
}

/** Opens the card of the municipality of a record that is all of it. */
export function openTown() {
  find('[data-load="town"]').open = true;
}

/** Closes the parts, whose content is of another record. */
export function resetAround() {
  for (const details of findAll("[data-load]")) {
    details.open = false;
    find("div", details).replaceChildren();
  }
}

async function load(details) {
  const content = find("div", details);
  const record = currentRecord();
  if (!details.open || content.childNodes.length > 0 || !record) return;
  content.append(element("p", { textContent: texts.loading }));
  const loaded = await LOADERS[details.dataset.load](record)
    .catch((error) => [element("p", { textContent: error.message })]);
  if (currentRecord() !== record) return;
  content.replaceChildren(...loaded);
}

async function near({ cep, latitude, longitude }) {
  const { data } = await get(
    `proximos?lat=${latitude}&lng=${longitude}&limite=${2 * SIDE + 1}`,
  );
  const others = data.filter((it) => it.cep !== cep).slice(0, 2 * SIDE);
  return [listOf(others)];
}

async function neighbours({ cep }) {
  // Of the nearest hundred codes; in thin regions, of the nearest thousand.
  let near = [];
  for (const digits of [6, 5]) {
    const { data } = await get(`busca?q=${cep.slice(0, digits)}&limite=100`);
    near = data.filter((it) => it.cep !== cep)
      .sort((a, b) => a.cep < b.cep ? -1 : 1);
    if (near.length >= SIDE) break;
  }
  const before = near.filter((it) => it.cep < cep).slice(-SIDE);
  const after = near.filter((it) => it.cep > cep).slice(0, SIDE);
  return [listOf([...before, ...after])];
}

function listOf(records) {
  return records.length === 0
    ? note(texts.noNeighbours)
    : element("ol", { className: "records" }, ...recordItems(records));
}

async function town({ codigo_ibge }) {
  return codigo_ibge ? await townCard(codigo_ibge) : [note(texts.noRanges)];
}

async function changes({ cep }) {
  const { data } = await get(`cep/${cep}/historico`);
  if (data.length === 0) return [note(texts.noChanges)];
  const { lang } = document.documentElement;
  return [
    element(
      "ul",
      {},
      ...data.map(({ cep, cep_novo, release, alterado_em }) =>
        element(
          "li",
          {},
          `${new Date(alterado_em).toLocaleDateString(lang)}${
            release && ` (DNE ${release})`
          }: ${formatCep(cep)} → `,
          cep_novo === null ? texts.retired : element("a", {
            href: recordUrl(cep_novo),
            textContent: formatCep(cep_novo),
          }),
        )
      ),
    ),
  ];
}

function note(textContent) {
  return element("p", { textContent });
}
