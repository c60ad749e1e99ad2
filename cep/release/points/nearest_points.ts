/**
 * Heap of the nearest points with the farthest one on top. Of two points at the
 * same distance, that with the lower CEP is the nearer one.
 */
export class NearestPoints {
  readonly #haversines: Float64Array;
  readonly #ceps: Int32Array;
  #size = 0;

  /**
   * @param capacity Maximum number of points, at least 1.
   */
  constructor(readonly capacity: number) {
    this.#haversines = new Float64Array(capacity);
    this.#ceps = new Int32Array(capacity);
  }

  /** Distance, as a haversine, beyond which no point is kept. */
  get farthest(): number {
    return this.#size < this.capacity ? Infinity : this.#haversines[0]!;
  }

  /** Keeps a point if it is one of the nearest. */
  offer(cep: number, haversine: number): void {
    if (this.#size < this.capacity) this.#rise(this.#size++, cep, haversine);
    else if (this.#isBelow(0, cep, haversine)) this.#sink(cep, haversine);
  }

  /** Returns the points, the nearest one first, and their haversines. */
  toArray(): { cep: number; haversine: number }[] {
    return Array.from({ length: this.#size }, (_, i) => ({
      cep: this.#ceps[i]!,
      haversine: this.#haversines[i]!,
    })).sort((a, b) => a.haversine - b.haversine || a.cep - b.cep);
  }

  /** True if a point is nearer than the one at an index. */
  #isBelow(i: number, cep: number, haversine: number): boolean {
    const other = this.#haversines[i]!;
    return haversine < other || haversine === other && cep < this.#ceps[i]!;
  }

  /** Inserts a point at an index, or above it. */
  #rise(i: number, cep: number, haversine: number): void {
    while (i > 0) {
      const parent = i - 1 >> 1;
      if (this.#isBelow(parent, cep, haversine)) break;
      this.#copy(parent, i);
      i = parent;
    }
    this.#put(i, cep, haversine);
  }

  /** Replaces the point on top. */
  #sink(cep: number, haversine: number): void {
    let i = 0;
    while (true) {
      let child = 2 * i + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#isChildBelow(child, child + 1)) {
        child++;
      }
      if (!this.#isBelow(child, cep, haversine)) break;
      this.#copy(child, i);
      i = child;
    }
    this.#put(i, cep, haversine);
  }

  #isChildBelow(a: number, b: number): boolean {
    return this.#isBelow(b, this.#ceps[a]!, this.#haversines[a]!);
  }

  #copy(from: number, to: number): void {
    this.#put(to, this.#ceps[from]!, this.#haversines[from]!);
  }

  #put(i: number, cep: number, haversine: number): void {
    this.#ceps[i] = cep;
    this.#haversines[i] = haversine;
  }
}
