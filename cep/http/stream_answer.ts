/**
 * Response to lines of JSON, in a stream.
 *
 * @module
 */
import {
  answerLines,
  type AnswerLinesOptions,
  type EarlyEnd,
} from "./answer_lines.ts";
import { errorText } from "./cep_answers.ts";
import { HttpError } from "./errors.ts";
import type { Answer, Exchange } from "./exchange.ts";
import type { Allowance } from "./rate_limiter.ts";

/** Options of {@linkcode streamAnswer}. */
export type StreamAnswerOptions = Pick<
  AnswerLinesOptions,
  "answer" | "answersAtOnce" | "linesPerPart"
>;

/**
 * Answers a request line by line. Each part of it after the first counts as one
 * more request; the last line tells why a stream ends early.
 */
export function streamAnswer(
  { request, bodyMs, charge }: Exchange,
  options: StreamAnswerOptions,
): Answer {
  const content = answerLines(request.body ?? new Blob([]).stream(), {
    ...options,
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
