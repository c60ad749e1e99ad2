import type { IsOver, Turns } from "../util/turns.ts";
import { Buffer } from "node:buffer";

/** Characters of answers that are sent together. */
const CHUNK_LENGTH = 65_536;

/** Reason why a stream ends before the last line of the request. */
export type EarlyEnd = "timeout" | "cut off";

/** Options of {@linkcode answerLines}. */
export interface AnswerLinesOptions {
  /**
   * Returns the answer to a line, both without a line end. The characters of
   * the line are its bytes.
   */
  readonly answer: (line: string) => string | Promise<string>;
  /** Maximum size of a line. A longer one is cut off after one more byte. */
  readonly maxBytes: number;
  /**
   * Maximum number of answers that are awaited together.
   *
   * @default {1}
   */
  readonly answersAtOnce?: number;
  /** Returns the last answer of a stream that ends early. */
  readonly answerEnd: (reason: EarlyEnd) => string;
  /**
   * Called before each part of {@linkcode linesPerPart} lines except the first,
   * where work counts as lines. If it returns text, this is the last answer.
   */
  readonly refusePart: () =>
    | string
    | undefined
    | Promise<string | undefined>;
  /** Lines per part. */
  readonly linesPerPart: number;
  /**
   * Returns the work of the answers so far, in parts.
   *
   * @default {() => 0}
   */
  readonly work?: () => number;
  /**
   * Milliseconds within which the next line must arrive, and within which the
   * client must receive the next answers.
   */
  readonly idleMs: number;
  /** Turns of the event loop, in which lines are answered. */
  readonly turns: Turns;
}

/**
 * Creates a stream of answers, one line per line of the request. It reads the
 * request only as fast as the answers are received.
 */
export function answerLines(
  body: ReadableStream<Uint8Array>,
  options: AnswerLinesOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const answers = new LineAnswers(body, options);
  return new ReadableStream(answers, { highWaterMark: 0 });
}

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

/** End of the lines, and the last answer, if the stream ends early. */
interface End {
  readonly answer: string;
}

/** Answers that are sent together. */
interface Answers {
  readonly text: string;
  /** True if no other answers follow. */
  readonly ended: boolean;
}

class LineAnswers implements UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #options: AnswerLinesOptions;
  readonly #lines: LineSplitter;
  readonly #encoder = new TextEncoder();
  /** Number of lines answered. */
  #count = 0;
  /** Number of parts after the first. */
  #parts = 0;
  #isReadToEnd = false;
  #isCancelled = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(body: ReadableStream<Uint8Array>, options: AnswerLinesOptions) {
    this.#reader = body.getReader();
    this.#lines = new LineSplitter(options.maxBytes);
    this.#options = options;
  }

  async pull(controller: Controller): Promise<void> {
    clearTimeout(this.#timer);
    const { text, ended } = await this.#nextAnswers();
    if (this.#isCancelled) return;
    if (text !== "") controller.enqueue(this.#encoder.encode(text));
    if (ended) controller.close();
    else this.#expectPull(controller);
  }

  /** Ends the stream with an error if the client receives nothing. */
  #expectPull(controller: Controller): void {
    this.#timer = setTimeout(() => {
      controller.error(new Error("Cannot send answers: the client is idle"));
      this.#release();
    }, this.#options.idleMs);
  }

  cancel(): void {
    this.#isCancelled = true;
    clearTimeout(this.#timer);
    this.#release();
  }

  /** Stops reading. The client may never end its body: this is not awaited. */
  #release(): void {
    this.#reader.cancel().catch(() => {});
  }

  /** Returns the answers to lines that have arrived, at least to one. */
  async #nextAnswers(): Promise<Answers> {
    const line = this.#lines.next() ?? await this.#waitForLine();
    const { turns } = this.#options;
    return await turns.run((isOver) => this.#answerFrom(line, isOver));
  }

  /** Returns the answers to a line and to those after it, as many as fit. */
  async #answerFrom(first: string | End, isOver: IsOver): Promise<Answers> {
    const { answer, answersAtOnce = 1 } = this.#options;
    let text = "";
    /** Answers after the text, of which some are not there yet. */
    const later: (string | Promise<string>)[] = [];
    let line: string | End | undefined = first;
    while (line !== undefined && !this.#isCancelled) {
      let end = typeof line === "string" ? this.#refuse() : line;
      if (end instanceof Promise) end = await end;
      if (end !== undefined) {
        const answers = await joinLines(later);
        return { text: text + answers + end.answer, ended: true };
      }
      const answered = answer(line as string);
      if (typeof answered === "string" && later.length === 0) {
        text += `${answered}\n`;
      } else {
        later.push(answered);
        // A failure is thrown below, when the others are awaited, too.
        if (answered instanceof Promise) answered.catch(() => {});
      }
      if (later.length >= answersAtOnce) {
        text += await joinLines(later.splice(0));
      }
      const isEnough = text.length >= CHUNK_LENGTH || isOver();
      line = isEnough ? undefined : this.#lines.next();
    }
    return { text: text + await joinLines(later), ended: false };
  }

  /** Counts a line. Returns the end of the stream if it is refused. */
  #refuse(): End | undefined | Promise<End | undefined> {
    const { linesPerPart, work = () => 0, refusePart } = this.#options;
    const parts = this.#count / linesPerPart + work();
    this.#count++;
    if (parts < this.#parts + 1) return undefined;
    this.#parts++;
    const answer = refusePart();
    return answer instanceof Promise
      ? answer.then((it) => this.#endWith(it))
      : this.#endWith(answer);
  }

  #endWith(answer: string | undefined): End | undefined {
    return answer === undefined ? undefined : this.#endEarly(answer);
  }

  #endEarly(answer: string): End {
    this.#release();
    return { answer: `${answer}\n` };
  }

  /**
   * Waits for a line, with a time limit. A race of each chunk with the limit
   * would keep all chunks in memory until the line ends.
   */
  #waitForLine(): Promise<string | End> {
    const { idleMs, answerEnd } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => resolve(this.#endEarly(answerEnd("timeout"))),
        idleMs,
      );
      this.#readLine().then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  async #readLine(): Promise<string | End> {
    while (!this.#isReadToEnd) {
      const chunk = await this.#reader.read()
        .catch((): "cut off" => "cut off");
      if (chunk === "cut off") {
        return this.#endEarly(this.#options.answerEnd(chunk));
      }
      if (chunk.value !== undefined) this.#lines.push(chunk.value);
      else this.#lines.end();
      this.#isReadToEnd = chunk.done;
      const line = this.#lines.next();
      if (line !== undefined) return line;
    }
    return { answer: "" };
  }
}

async function joinLines(
  answers: readonly (string | Promise<string>)[],
): Promise<string> {
  if (answers.length === 0) return "";
  return (await Promise.all(answers)).map((answer) => `${answer}\n`).join("");
}

/**
 * Splits bytes into lines, without their line ends. The characters of a line
 * are its bytes, as ISO-8859-1: other encodings would not be as fast.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  /** Bytes as characters, and the position after the last line. */
  #text = "";
  #position = 0;
  /** Start of the line that the next bytes continue. */
  #start = "";
  #ended = false;

  /** @param maxBytes Bytes that are kept of a line, in addition to one. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds bytes, after {@linkcode next} has returned all lines so far. */
  push({ buffer, byteOffset, byteLength }: Uint8Array): void {
    this.#text = Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
    this.#position = 0;
  }

  /** Ends the input: the last line may lack its line end. */
  end(): void {
    this.#ended = true;
  }

  /**
   * Returns the next line; `undefined` if its end has not arrived, and after
   * the last line.
   */
  next(): string | undefined {
    const end = this.#text.indexOf("\n", this.#position);
    const isFound = end !== -1;
    const part = this.#text.slice(this.#position, isFound ? end : undefined);
    this.#position = isFound ? end + 1 : this.#text.length;
    const line = this.#start === "" ? part : this.#start + part;
    const kept = line.length > this.#maxBytes
      ? line.slice(0, this.#maxBytes + 1)
      : line;
    const isComplete = isFound || (this.#ended && line !== "");
    this.#start = isComplete ? "" : kept;
    return isComplete ? kept : undefined;
  }
}
