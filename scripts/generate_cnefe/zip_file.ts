import { Buffer } from "node:buffer";
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { constants, crc32, deflateRawSync } from "node:zlib";

const NONE = 0xFFFFFFFF;
const LOCAL = 0x04034B50;
const CENTRAL = 0x02014B50;
const END = 0x06054B50;
// 2024-05-15: the dates of members do not depend on the clock.
const DATE = (2024 - 1980) << 9 | 5 << 5 | 15;
const DEFLATED = 8;

/** Zip file that is written while its member is generated. */
export class ZipFile {
  readonly #path: string;
  readonly #name: Buffer;
  readonly #zip64: boolean;
  readonly #file: number;
  #crc = 0;
  #size = 0;
  #packed = 0;

  /**
   * Creates a file.
   *
   * @param zip64 Writes the sizes as 64-bit fields even if they are small, as
   * in IBGE's file of São Paulo.
   */
  constructor(path: string, member: string, zip64: boolean) {
    this.#path = path;
    this.#name = Buffer.from(member, "latin1");
    this.#zip64 = zip64;
    this.#file = openSync(`${path}.part`, "w");
    writeSync(this.#file, this.#local());
  }

  /** Compresses the next bytes of the member. */
  write(chunk: Uint8Array): void {
    this.#crc = crc32(chunk, this.#crc);
    this.#size += chunk.length;
    this.#add(chunk, constants.Z_SYNC_FLUSH);
  }

  /** Ends the file, and returns its size. */
  finish(): number {
    this.#add(new Uint8Array(), constants.Z_FINISH);
    const start = this.#local().length + this.#packed;
    const central = this.#central();
    const end = Buffer.alloc(22);
    end.writeUInt32LE(END, 0);
    end.writeUInt16LE(1, 8);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(central.length, 12);
    end.writeUInt32LE(start, 16);
    writeSync(this.#file, central);
    writeSync(this.#file, end);
    writeSync(this.#file, this.#local(), 0, undefined, 0);
    closeSync(this.#file);
    renameSync(`${this.#path}.part`, this.#path);
    return start + central.length + end.length;
  }

  /** Removes the unfinished file. */
  discard(): void {
    closeSync(this.#file);
    rmSync(`${this.#path}.part`);
  }

  #add(chunk: Uint8Array, finishFlush: number): void {
    const packed = deflateRawSync(chunk, { finishFlush });
    this.#packed += packed.length;
    if (this.#packed >= NONE) {
      throw new RangeError(`Cannot write "${this.#path}": more than 4 GiB`);
    }
    writeSync(this.#file, packed);
  }

  #local(): Buffer {
    const extra = this.#extra();
    const header = Buffer.alloc(30);
    header.writeUInt32LE(LOCAL, 0);
    header.writeUInt16LE(this.#zip64 ? 45 : 20, 4);
    this.#writeFields(header, 8, extra.length);
    return Buffer.concat([header, this.#name, extra]);
  }

  #central(): Buffer {
    const extra = this.#extra();
    const header = Buffer.alloc(46);
    header.writeUInt32LE(CENTRAL, 0);
    header.writeUInt16LE(45, 4);
    header.writeUInt16LE(this.#zip64 ? 45 : 20, 6);
    this.#writeFields(header, 10, extra.length);
    return Buffer.concat([header, this.#name, extra]);
  }

  /** Writes the fields that both headers have, from the compression method. */
  #writeFields(header: Buffer, start: number, extraLength: number): void {
    header.writeUInt16LE(DEFLATED, start);
    header.writeUInt16LE(DATE, start + 4);
    header.writeUInt32LE(this.#crc, start + 6);
    header.writeUInt32LE(this.#zip64 ? NONE : this.#packed, start + 10);
    header.writeUInt32LE(this.#zip64 ? NONE : this.#size, start + 14);
    header.writeUInt16LE(this.#name.length, start + 18);
    header.writeUInt16LE(extraLength, start + 20);
  }

  #extra(): Buffer {
    if (!this.#zip64) return Buffer.alloc(0);
    const extra = Buffer.alloc(20);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(16, 2);
    extra.writeBigUInt64LE(BigInt(this.#size), 4);
    extra.writeBigUInt64LE(BigInt(this.#packed), 12);
    return extra;
  }
}
