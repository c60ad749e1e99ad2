import type { Random } from "../../generate_dne/random.ts";

/** Writes two neighbouring words of a name, or all, as one. */
export function glueWords(name: string, random: Random): string | undefined {
  const words = name.split(" ");
  const can = words.slice(1).flatMap((word, i) =>
    [words[i]!, word].every((it) => /^\p{L}{2,}$/u.test(it)) ? [i] : []
  );
  if (can.length === 0) return undefined;
  if (
    can.length === words.length - 1 && words.length < 4 && random.chance(40)
  ) {
    return words.join("").toLowerCase();
  }
  const at = random.pick(can);
  words.splice(at, 2, words[at]! + words[at + 1]!.toLowerCase());
  return words.join(" ");
}
