/** Record on the page: parts, envelope, place on the map, copies. */
import { get } from "./api.js";
import {
  coordinates,
  element,
  fill,
  find,
  findAll,
  formatCep,
  formatDistance,
  formatNumber,
  placeLine,
  setSlot,
  streetLine,
  texts,
} from "./dom.js";

/** Parts of a record on the page. */
const PARTS = [
  ...["cep", "nome", "logradouro", "complemento", "bairro", "distrito"],
  ...["cidade", "uf", "codigo_ibge", "coordenadas"],
];

/** Record that the page shows. */
let current;

/** Returns the record that the page shows. */
export function currentRecord() {
  return current;
}

/** Reads and returns the record that the server has put into the page, if any. */
export function readRecord(query) {
  if (find("#result").hidden) return undefined;
  current = Object.fromEntries(
    PARTS.map((name) => [name, find(`[data-slot="part.${name}"]`).textContent]),
  );
  current.cep = current.cep.replace("-", "");
  [current.latitude, current.longitude] = current.coordenadas.split(", ");
  find("#number").value = numberIn(query, current);
  showLetter();
  return current;
}

/**
 * Shows a record.
 *
 * @param {object} record
 * @param {string} query Text that it was found by, which may have a number.
 */
export function showRecord(record, query = "") {
  current = { ...record, coordenadas: coordinates(record) };
  const cep = formatCep(record.cep);
  find("#result").hidden = false;
  find("#more").hidden = false;
  setSlot("cep", cep);
  setSlot("kind", kindOf(record));
  setSlot("street", streetLine(record));
  setSlot("place", placeLine(record));
  for (const name of PARTS) {
    const value = name === "cep" ? cep : current[name];
    setSlot(`part.${name}`, value);
    find(`[data-row="${name}"]`).hidden = value === "";
  }
  find('[data-slot="boxes"]').replaceChildren(
    ...[...cep].map((it) =>
      element("span", {
        textContent: it,
        className: it === "-" ? "dash" : "",
      })
    ),
  );
  find("#number").value = numberIn(query, record);
  find("#unit").value = "";
  showLetter();
  find('[data-load="near"]').hidden = current.coordenadas === "";
  linkPlace(record);
  showPlace(record);
  document.title = `${cep} · ${texts.title}`;
}

/** Hides the record. */
export function hideRecord() {
  current = undefined;
  find("#result").hidden = true;
  find("#more").hidden = true;
  document.title = texts.title;
  markState("");
  find("[data-mark]").setAttribute("hidden", "");
  setSlot("mapTitle", texts.country);
  setSlot("caption", "", { hide: true });
  find(".links").hidden = true;
}

/** Writes the envelope, with recipient, number and unit. */
export function showLetter() {
  const { nome, logradouro, bairro, distrito, cidade, uf, cep } = current;
  const street = [logradouro, find("#number").value, find("#unit").value]
    .map((it) => it.trim()).filter(Boolean).join(", ");
  const district = [...new Set([bairro, distrito])].filter(Boolean).join(", ");
  const lines = [find("#recipient").value.trim(), nome, street, district];
  const last = `${formatCep(cep)} ${cidade} – ${uf}`;
  setSlot("letter", [...lines, last].filter(Boolean).join("\n"));
}

/** Makes the buttons copy the text of their slots. */
export function enableCopies() {
  for (const button of findAll("[data-copy]")) {
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener("click", async () => {
      const slot = find(`[data-slot="${button.dataset.copy}"]`);
      const copied = await copy(slot.textContent);
      const text = copied ? texts.copied : texts.notCopied;
      button.textContent = text;
      find("#status").textContent = text;
      setTimeout(() => button.textContent = label, 1600);
    });
  }
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages without TLS have no clipboard of their own.
    const area = element("textarea", { value: text, className: "unseen" });
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}

/** Building number in the text of a search, `""` without one. */
function numberIn(query, { logradouro = "" }) {
  const inName = logradouro.match(/\d+/g) ?? [];
  const numbers = query.replaceAll(/\d{5}-?\d{3}/g, " ")
    // After a word, and not as in "7 de setembro".
    .match(/(?<=\p{L}.*)(?<![\w.-])\d{1,6}[a-z]?(?![\w-])(?!\s+d[eo]\b)/giu);
  return numbers?.find((it) => !inName.includes(it)) ?? "";
}

function markState(uf) {
  find(".map path.here")?.classList.remove("here");
  const path = uf && find(`#uf-${uf}`);
  if (!path) return;
  path.classList.add("here");
  // Neighbours that are drawn later would cover its outline.
  path.parentNode.append(path);
}

/** Kind of a record, for people. */
function kindOf({ tipo_origem }) {
  const isKnown = tipo_origem !== "cnefe" || document.body.dataset.dne;
  return isKnown ? texts.kinds[tipo_origem] ?? "" : texts.counted;
}

/** Links the place of a record to maps. */
function linkPlace({ latitude, longitude, raio_m }) {
  find(".links").hidden = latitude === undefined;
  if (latitude === undefined) return;
  const [near, far] = [300, 1500];
  const zoom = raio_m <= near ? 17 : raio_m <= far ? 15 : 13;
  const at = `${latitude},${longitude}`;
  find('[data-link="geo"]').href = `geo:${at}?q=${at}`;
  find('[data-link="osm"]').href = "https://www.openstreetmap.org/" +
    `?mlat=${latitude}&mlon=${longitude}#map=${zoom}/${latitude}/${longitude}`;
}

/** Marks a record, or the seat of its municipality, on the map. */
async function showPlace(record) {
  const { cep, codigo_ibge, cidade, uf } = record;
  markState(uf);
  const mark = find("[data-mark]");
  mark.setAttribute("hidden", "");
  setSlot("caption", "", { hide: true });
  setSlot("mapTitle", texts.country);
  if (record.latitude !== undefined) {
    return drawPlace(
      record,
      record,
      fill(record.enderecos === 1 ? texts.placedOne : texts.placed, {
        n: formatNumber(record.enderecos),
        distance: formatDistance(record.raio_m),
      }),
    );
  }
  if (!codigo_ibge) return;
  // Without the place, the state alone is marked.
  const place = await get(`municipios/${codigo_ibge}`).catch(() => undefined);
  if (current?.cep !== cep || place?.latitude == null) return;
  drawPlace(record, place, fill(texts.seat, { city: cidade }));
}

/** Draws a point on the map, and says what it is. */
function drawPlace({ cidade, uf }, { latitude, longitude }, caption) {
  const mark = find("[data-mark]");
  const [west, north, perLongitude, perLatitude] = find(".map svg").dataset
    .projection.split(" ").map(Number);
  for (const circle of findAll("circle", mark)) {
    circle.setAttribute("cx", (longitude - west) * perLongitude);
    circle.setAttribute("cy", (north - latitude) * perLatitude);
  }
  mark.removeAttribute("hidden");
  const state = find(`#uf-${uf}`)?.dataset.name ?? uf;
  setSlot("mapTitle", fill(texts.marked, { state, city: cidade }));
  setSlot("caption", caption, { hide: true });
}
