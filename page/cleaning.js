/** Table of addresses, answered by the service row by row. */
import { describeWait, Failure, send } from "./api.js";
import { decode, findDelimiter, formatCsv, parseCsv } from "./csv.js";
import { element, fill, find, findAll, setSlot, texts } from "./dom.js";

/** Rows of one request: as many as count as one. */
const ROWS_AT_ONCE = 250;

/** Size of the largest file: it is held in memory. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Pauses after which a request is repeated that broke off. */
const RETRY_MS = [500, 2000, 8000];

/** Parts of an address, and names of their columns, folded. */
const PARTS = {
  endereco: ["endereco completo", "address"],
  logradouro: ["rua", "street"],
  numero: ["num", "no", "n", "number"],
  complemento: ["compl"],
  bairro: ["neighbourhood"],
  cidade: ["municipio", "localidade", "city"],
  uf: ["estado", "state"],
  cep: ["codigo postal"],
};

/** Columns that are added, as `MODE=match` names them. */
const ADDED = [
  ["cep_encontrado", ({ cep }) => cep ?? ""],
  ["pontuacao", ({ pontuacao }) => `${pontuacao}`],
  ["diferencas", (it) => it.diferencas.map(({ campo }) => campo).join(" ")],
  ["outros_ceps", ({ outros_ceps }) => outros_ceps.join(" ")],
  ["logradouro_encontrado", ({ registro }) => registro?.logradouro ?? ""],
  ["complemento_encontrado", ({ registro }) => registro?.complemento ?? ""],
  ["bairro_encontrado", ({ registro }) => registro?.bairro ?? ""],
  ["cidade_encontrada", ({ registro }) => registro?.cidade ?? ""],
  ["uf_encontrada", ({ registro }) => registro?.uf ?? ""],
  ["codigo_ibge_encontrado", ({ registro }) => registro?.codigo_ibge ?? ""],
];

/** Enables the drop zone. */
export function enableCleaning() {
  const drop = find("#drop");
  const file = find("#file");
  const mapping = find("#mapping");
  const progress = find("#progress");
  let table;
  let running;

  function showOnly(shown) {
    for (const it of [drop, mapping, progress]) it.hidden = it !== shown;
  }

  function refuse(text) {
    showOnly(drop);
    find("span", drop).textContent = text;
  }

  async function open(chosen) {
    if (!chosen) return;
    if (chosen.size > MAX_BYTES) return refuse(texts.tooLarge);
    const text = decode(await chosen.arrayBuffer());
    const delimiter = findDelimiter(text);
    const [header, ...rows] = parseCsv(text, delimiter);
    if (rows.length === 0) return refuse(texts.emptyTable);
    table = {
      name: chosen.name,
      delimiter,
      header,
      rows: rows.map((row) => withinHeader(row, header, delimiter)),
    };
    setSlot(
      "fileName",
      fill(texts.rowsOf, {
        name: chosen.name,
        n: rows.length.toLocaleString(document.documentElement.lang),
      }),
    );
    find("#columns").replaceChildren(...header.map(toChoice));
    showOnly(mapping);
    find("select", mapping).focus();
  }

  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    open(event.dataTransfer.files[0]);
  });
  file.addEventListener("change", () => {
    open(file.files[0]);
    // The same file can be chosen again.
    file.value = "";
  });

  mapping.addEventListener("submit", async (event) => {
    event.preventDefault();
    const parts = findAll("select", mapping).map(({ value }) => value);
    if (parts.every((it) => it === "")) {
      find("select", mapping).focus();
      return setSlot("fileName", texts.noColumns);
    }
    showOnly(progress);
    running = new AbortController();
    await clean(table, parts, running.signal);
  });

  for (const button of findAll('[data-action="reset"]')) {
    button.addEventListener("click", () => {
      refuse(texts.dropText);
      file.focus();
    });
  }
  find('[data-action="cancel"]').addEventListener("click", () => {
    running.abort();
  });
}

/** Row whose last cell holds those that are beyond the header. */
function withinHeader(row, { length }, delimiter) {
  return row.length <= length
    ? row
    : [...row.slice(0, length - 1), row.slice(length - 1).join(delimiter)];
}

/** Choice of the part of an address that a column holds. */
function toChoice(name) {
  const folded = fold(name);
  const known = Object.keys(PARTS).find((part) =>
    part === folded || PARTS[part].includes(folded)
  );
  const options = ["", ...Object.keys(PARTS)].map((value) =>
    element("option", {
      value,
      textContent: value === "" ? texts.ignore : texts.partNames[value],
      selected: value === (known ?? ""),
    })
  );
  return element("label", {}, name, element("select", {}, ...options));
}

function fold(text) {
  return text.normalize("NFD").replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase().replaceAll(/[^a-z0-9]+/g, " ").trim();
}

async function clean({ name, delimiter, header, rows }, parts, signal) {
  const bar = find("progress");
  const cancel = find('[data-action="cancel"]');
  const download = find('[data-action="download"]');
  const reset = find('#progress [data-action="reset"]');
  const answers = [];
  bar.max = rows.length;
  cancel.hidden = false;
  download.hidden = reset.hidden = true;
  showProgress();
  let problem = "";
  try {
    while (answers.length < rows.length) {
      const part = rows.slice(answers.length, answers.length + ROWS_AT_ONCE);
      await askPart(part.map((row) => toAddress(row, parts)), signal, (it) => {
        answers.push(it);
        showProgress();
      });
    }
  } catch (error) {
    problem = signal.aborted ? texts.cancelled : error.message;
  }
  const found = answers.filter((it) => it.cep).length;
  const names = [...header, ...ADDED.map(([it]) => it), "erro"];
  const result = answers.map((answer, i) => [
    ...names.slice(0, header.length).map((_, cell) => rows[i][cell] ?? ""),
    ...ADDED.map(([, valueOf]) => answer.error ? "" : valueOf(answer)),
    reasonOf(answer),
  ]);
  setSlot(
    "progressText",
    [
      problem,
      fill(texts.foundOf, { found: count(found), n: count(answers.length) }),
    ]
      .filter(Boolean).join(" "),
  );
  cancel.hidden = true;
  reset.hidden = false;
  if (answers.length === 0) return reset.focus();
  const blob = new Blob([formatCsv([names, ...result], delimiter)], {
    type: "text/csv;charset=utf-8",
  });
  URL.revokeObjectURL(download.href);
  download.href = URL.createObjectURL(blob);
  download.download = name.replace(/(\.\w+)?$/, "-cep.csv");
  download.hidden = false;
  download.focus();

  function showProgress() {
    bar.value = answers.length;
    // Ten announcements at most would be read aloud; this is not live.
    setSlot(
      "progressText",
      fill(texts.rowOf, { done: count(answers.length), n: count(rows.length) }),
    );
  }
}

/** Reason of an error, such as "cep deve ser um texto", `""` without one. */
function reasonOf({ error = "", parametro, motivo }) {
  return [parametro, motivo].filter(Boolean).join(" ") || error;
}

function count(number) {
  return number.toLocaleString(document.documentElement.lang);
}

function toAddress(row, parts) {
  const address = {};
  parts.forEach((part, i) => {
    const value = row[i]?.trim();
    if (part === "" || !value) return;
    // Two columns of one part, e.g. a street in two cells, are joined.
    address[part] = address[part] ? `${address[part]} ${value}` : value;
  });
  return address;
}

/** Asks for the answers to some rows, as often as it takes. */
async function askPart(addresses, signal, onAnswer) {
  let answered = 0;
  let retries = 0;
  while (answered < addresses.length) {
    const before = answered;
    let wait = 0;
    try {
      wait = await askOnce(addresses.slice(answered), signal, (answer) => {
        answered++;
        onAnswer(answer);
      });
    } catch (error) {
      if (signal.aborted) throw error;
      const isPassing = error instanceof Failure &&
        [0, 429, 502, 503, 504].includes(error.status);
      if (error instanceof Failure && !isPassing) throw error;
      wait = error.seconds * 1000;
    }
    if (answered > before) retries = 0;
    if (answered === addresses.length) return;
    if (wait > 0) setSlot("progressText", describeWait(Math.ceil(wait / 1000)));
    else if (retries >= RETRY_MS.length) throw new Failure();
    await pause(wait || RETRY_MS[retries++], signal);
  }
}

/**
 * Asks once. Returns milliseconds to wait for if the stream ended early for the
 * rate limit.
 */
async function askOnce(addresses, signal, onAnswer) {
  const response = await send("enderecos", {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    // An empty row is asked for as an empty text, which is no error.
    body: addresses.map((it) =>
      JSON.stringify(Object.keys(it).length > 0 ? it : { endereco: "" })
    ).join("\n"),
    signal,
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (true) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const answer = JSON.parse(line);
      if (answer.code === "rate_limited") return answer.retry_after * 1000;
      if (answer.code === "database_not_ready") {
        throw new Failure({ status: 503 });
      }
      onAnswer(answer);
    }
    if (done) return 0;
  }
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}
