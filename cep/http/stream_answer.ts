import { Buffer } from "node:buffer";
import {
  answerLines,
  type AnswerLinesOptions,
  type EarlyEnd,
} from "./answer_lines.ts";
import { errorText } from "./cep_answers.ts";
import { HttpError } from "./errors.ts";
import type { Answer, Exchange } from "./exchange.ts";
import type { Allowance } from "./rate_limiter.ts";
import { decodeText } from "./read_body.ts";

/** Options of {@linkcode streamAnswer}. */
export interface StreamAnswerOptions extends
  Pick<
    AnswerLinesOptions,
    "answersAtOnce" | "linesPerPart" | "maxBytes" | "work"
  > {
  /** Returns the answer to a line, which was UTF-8. */
  readonly answer: (line: string) => string | Promise<string>;
}

/**
 * Answers a request line by line, with an error in the place of an answer that
 * fails with an `HttpError`. Each part of it after the first counts as one
 * more request; the last line tells why a stream ends early.
 */
export function streamAnswer(
  { request, bodyMs, charge, turns }: Exchange,
  { answer, ...options }: StreamAnswerOptions,
): Answer {
  function answerLine(line: string): string | Promise<string> {
    try {
      const answered = answer(decodeLine(line, options.maxBytes));
      return answered instanceof Promise
        ? answered.catch(toErrorText)
        : answered;
    } catch (error) {
      return toErrorText(error);
    }
  }

  const content = answerLines(request.body ?? new Blob([]).stream(), {
    ...options,
    turns,
    answer: answerLine,
    answerEnd: (reason) => errorText(END_ERRORS[reason]),
    refusePart() {
      const allowance = charge?.();
      return allowance instanceof Promise
        ? allowance.then(refusalText)
        : refusalText(allowance);
    },
    idleMs: bodyMs,
  });
  const type = "application/x-ndjson";
  return { status: 200, body: { type, content, length: undefined } };
}

/** Decodes a line whose characters are bytes. */
function decodeLine(line: string, maxBytes: number): string {
  return line.length <= maxBytes && !/[\x80-\xFF]/.test(line)
    ? line
    : decodeText(Buffer.from(line, "latin1"), maxBytes);
}

function toErrorText(error: unknown): string {
  if (error instanceof HttpError) return errorText(error);
  throw error;
}

function refusalText(allowance: Allowance | undefined): string | undefined {
  if (allowance === undefined || allowance.allowed) return undefined;
  return errorText(
    new HttpError("rate_limited", { retry_after: allowance.waitSeconds }),
  );
}

const END_ERRORS: Readonly<Record<EarlyEnd, HttpError>> = {
  timeout: new HttpError("body_timeout"),
  "cut off": new HttpError("body_invalid", {
    motivo: "o corpo foi interrompido",
  }),
};
