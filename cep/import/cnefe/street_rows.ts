import type { StreetColumns } from "./file_counts.ts";
import type { GroupStreet } from "./group_streets.ts";
import { withRoom } from "./grow.ts";

/** Numbers of a street. */
const WIDTH = 7;

/** Streets of the groups, one after another. */
export class StreetRows {
  /** Number of streets. */
  size = 0;
  #numbers = new Uint32Array(1 << 10);

  /** Adds a street. */
  add(
    { type, name, addresses, oddFrom, oddTo, evenFrom, evenTo }: GroupStreet,
  ): void {
    const start = this.size++ * WIDTH;
    const numbers = this.#numbers = withRoom(this.#numbers, start + WIDTH);
    numbers[start] = type;
    numbers[start + 1] = name;
    numbers[start + 2] = addresses;
    numbers[start + 3] = oddFrom;
    numbers[start + 4] = oddTo;
    numbers[start + 5] = evenFrom;
    numbers[start + 6] = evenTo;
  }

  /** Returns the columns. */
  toColumns(): StreetColumns {
    const column = (offset: number) => {
      const values = new Uint32Array(this.size);
      for (let i = 0; i < values.length; i++) {
        values[i] = this.#numbers[i * WIDTH + offset]!;
      }
      return values;
    };
    return {
      types: column(0),
      names: column(1),
      addresses: column(2),
      oddFrom: column(3),
      oddTo: column(4),
      evenFrom: column(5),
      evenTo: column(6),
    };
  }
}
