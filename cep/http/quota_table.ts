/** Characters of a key: as many as an IPv6 network has in writing. */
const KEY_CHARACTERS = 23;

/** Words of a key: its length and its characters. */
const KEY_WORDS = (KEY_CHARACTERS + 1) / 4;

/** Length of a key that stands for a longer text. */
const HASHED = 255;

/** Slots of a set, among which a client has any. */
const WAYS = 32;

/**
 * Attempts to enter a set at once, and then with a millisecond in between. A
 * thread leaves after less than a microsecond, unless it has been ended there.
 */
const SPINS = 200;
const WAITS = 100;

/**
 * Times by client in a memory of fixed size, which threads can share. The slots
 * of a client are those of its set, which one thread at a time enters. A client
 * is told from others by its whole address.
 */
export class QuotaTable {
  readonly #seeds: Int32Array;
  /** 1 while a thread is in the set. */
  readonly #locks: Int32Array;
  readonly #hashes: Int32Array;
  readonly #keys: Int32Array;
  readonly #times: Float64Array;
  readonly #key = new Int32Array(KEY_WORDS);
  readonly #keyBytes = new Uint8Array(this.#key.buffer);
  #set = 0;

  /** @param memory Memory of {@linkcode QuotaTable.allocate}. */
  constructor(memory: ArrayBufferLike) {
    const sets = setsIn(memory.byteLength);
    let end = 0;
    const take = (bytes: number) => (end += bytes) - bytes;
    const slots = sets * WAYS;
    this.#times = new Float64Array(memory, take(slots * 8), slots);
    this.#hashes = new Int32Array(memory, take(slots * 4), slots);
    const words = slots * KEY_WORDS;
    this.#keys = new Int32Array(memory, take(words * 4), words);
    this.#locks = new Int32Array(memory, take(sets * 4), sets);
    this.#seeds = new Int32Array(memory, take(KEY_WORDS * 4), KEY_WORDS);
  }

  /**
   * Allocates the memory of a table, 38 bytes a slot. It has twice as many slots
   * as clients, so that no set is full before.
   *
   * @param allocate Allocates memory of zeros.
   */
  static allocate(
    clients: number,
    allocate: (bytes: number) => ArrayBufferLike,
  ): ArrayBufferLike {
    const sets = 2 ** Math.ceil(Math.log2(Math.max(1, 2 * clients / WAYS)));
    const memory = allocate(bytesOf(sets));
    // An attacker must not know which clients share a set.
    const seeds = new Int32Array(KEY_WORDS);
    crypto.getRandomValues(seeds);
    new QuotaTable(memory).#seeds.set(seeds);
    return memory;
  }

  /** Returns the time of a client, `undefined` if it has none. */
  get(client: string): number | undefined {
    const hash = this.#enter(client);
    const slot = this.#find(hash);
    const time = slot === undefined ? undefined : this.#times[slot]!;
    this.#leave();
    return time;
  }

  /**
   * Moves the time of a client by a step, from now on if it has passed, unless
   * that is more than a span ahead. A client that is not in the table takes the
   * slot of one whose time has passed. If all are still ahead, it takes the slot
   * with the earliest time.
   *
   * @returns The time before.
   */
  advance(client: string, now: number, step: number, span: number): number {
    const hash = this.#enter(client);
    const found = this.#find(hash);
    const before = found === undefined
      ? now
      : Math.max(this.#times[found]!, now);
    const after = before + step;
    if (after - now <= span) {
      this.#times[found ?? this.#claim(hash, now)] = after;
    }
    this.#leave();
    return before;
  }

  /** Sets the time of a client. */
  set(client: string, now: number, time: number): void {
    const hash = this.#enter(client);
    this.#times[this.#find(hash) ?? this.#claim(hash, now)] = time;
    this.#leave();
  }

  /** Enters the set of a client, and returns its hash. */
  #enter(client: string): number {
    this.#writeKey(client);
    const hash = this.#hashKey();
    const set = hash & this.#locks.length - 1; // a power of two
    this.#set = set;
    let attempts = 0;
    while (Atomics.compareExchange(this.#locks, set, 0, 1) !== 0) {
      attempts++;
      if (attempts > SPINS) Atomics.wait(this.#locks, set, 1, 1);
      // Its thread has been ended, and will not leave.
      if (attempts > SPINS + WAITS) break;
    }
    return hash;
  }

  #leave(): void {
    Atomics.store(this.#locks, this.#set, 0);
  }

  #find(hash: number): number | undefined {
    const hashes = this.#hashes;
    const first = this.#set * WAYS;
    for (let slot = first; slot < first + WAYS; slot++) {
      if (hashes[slot] === hash && this.#hasKey(slot)) return slot;
    }
    return undefined;
  }

  #hasKey(slot: number): boolean {
    const [keys, key] = [this.#keys, this.#key];
    const start = slot * KEY_WORDS;
    for (let i = 0; i < KEY_WORDS; i++) {
      if (keys[start + i] !== key[i]) return false;
    }
    return true;
  }

  #claim(hash: number, now: number): number {
    const first = this.#set * WAYS;
    let claimed = first;
    for (let slot = first; slot < first + WAYS; slot++) {
      if (this.#times[slot]! < this.#times[claimed]!) claimed = slot;
      if (this.#times[claimed]! <= now) break;
    }
    this.#hashes[claimed] = hash;
    this.#keys.set(this.#key, claimed * KEY_WORDS);
    return claimed;
  }

  #writeKey(client: string): void {
    const { length } = client;
    if (length > KEY_CHARACTERS) return this.#writeHash(client);
    const bytes = this.#keyBytes;
    bytes[0] = length;
    for (let i = 0; i < KEY_CHARACTERS; i++) {
      const code = i < length ? client.charCodeAt(i) : 0;
      if (code > 0xff) return this.#writeHash(client);
      bytes[i + 1] = code;
    }
  }

  /** Writes a hash of a text that is not an address. */
  #writeHash(text: string): void {
    this.#key.set(this.#seeds);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      for (let word = 0; word < KEY_WORDS; word++) {
        this.#key[word] = mix(this.#key[word]! + word, code);
      }
    }
    this.#keyBytes[0] = HASHED;
  }

  #hashKey(): number {
    const key = this.#key;
    let hash = this.#seeds[0]!;
    for (let i = 0; i < KEY_WORDS; i++) hash = mix(hash, key[i]!);
    return hash;
  }
}

function bytesOf(sets: number): number {
  return sets * (WAYS * (12 + 4 * KEY_WORDS) + 4) + 4 * KEY_WORDS;
}

function setsIn(bytes: number): number {
  return (bytes - bytesOf(0)) / (bytesOf(1) - bytesOf(0));
}

/** Finalizer of MurmurHash3, of a hash and one more word. */
function mix(hash: number, word: number): number {
  let mixed = Math.imul(hash ^ word, 0x85ebca6b);
  mixed = Math.imul(mixed ^ mixed >>> 13, 0xc2b2ae35);
  return mixed ^ mixed >>> 16;
}
