/** Answers of the service to the addresses of a table. */
import { describeWait, Failure, send } from "./api.js";

/** Rows of one request: as many as count as one. */
const ROWS_AT_ONCE = 250;

/** Pauses after which a request is repeated that broke off. */
const RETRY_MS = [500, 2000, 8000];

/**
 * Asks for the answers to addresses, as often as it takes.
 *
 * @param {object[]} addresses
 * @param {object} options
 * @param {AbortSignal} options.signal Ends it.
 * @param {(answer: object) => void} options.onAnswer Takes each in its order.
 * @param {(text: string) => void} options.onWait Takes the reason of a pause.
 */
export async function askRows(addresses, options) {
  for (let i = 0; i < addresses.length; i += ROWS_AT_ONCE) {
    await askPart(addresses.slice(i, i + ROWS_AT_ONCE), options);
  }
}

async function askPart(addresses, { signal, onAnswer, onWait }) {
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
    if (wait > 0) onWait(describeWait(Math.ceil(wait / 1000)));
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
