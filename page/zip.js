/** Zip files, as spreadsheets are: read and written by the browser itself. */

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

/** Bytes of the end of a zip file, with the longest comment. */
const END_LENGTH = 22 + 65_535;

/** Size up to which an entry is unpacked: a small file may claim any. */
const MAX_UNPACKED = 256 * 1024 * 1024;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let value = i;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ 0xEDB88320 : value >>> 1;
  }
  return value;
});

/**
 * Lists the entries of a zip file.
 *
 * @param {ArrayBuffer} buffer
 * @returns {Map<string, () => Promise<Uint8Array>>} What unpacks each, by name.
 * @throws {TypeError} If it is no zip file.
 */
export function readZip(buffer) {
  const view = new DataView(buffer);
  const entries = new Map();
  let at = findEnd(view);
  const count = view.getUint16(at + 10, true);
  at = view.getUint32(at + 16, true);
  for (let i = 0; i < count; i++) {
    if (view.getUint32(at, true) !== ENTRY) throw new TypeError("Cut-off zip");
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const lengths = [28, 30, 32].map((it) => view.getUint16(at + it, true));
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(
      new Uint8Array(buffer, at + 46, lengths[0]),
    );
    entries.set(name, () => {
      const start = local + 30 + view.getUint16(local + 26, true) +
        view.getUint16(local + 28, true);
      return unpack(new Uint8Array(buffer, start, packed), method);
    });
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  return entries;
}

function findEnd(view) {
  const first = Math.max(0, view.byteLength - END_LENGTH);
  for (let at = view.byteLength - 22; at >= first; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw new TypeError("No zip");
}

async function unpack(bytes, method) {
  if (method === 0) return bytes;
  if (method !== 8) throw new TypeError(`Unknown method ${method}`);
  const stream = new Blob([bytes]).stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  const chunks = [];
  let size = 0;
  const reader = stream.getReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_UNPACKED) throw new TypeError("Zip too large");
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/**
 * Writes a zip file.
 *
 * @param {Record<string, string>} files Texts by their names.
 * @returns {Promise<Blob>}
 */
export async function writeZip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = new TextEncoder().encode(text);
    const packed = new Uint8Array(
      await new Response(
        new Blob([content]).stream()
          .pipeThrough(new CompressionStream("deflate-raw")),
      ).arrayBuffer(),
    );
    const title = new TextEncoder().encode(name);
    // Version, flags, method, time, date of 1980, and sizes: local and central.
    const fields = [
      ...[u16(20), u16(0), u16(8), u16(0), u16(33), u32(crc32(content))],
      ...[u32(packed.length), u32(content.length), u16(title.length), u16(0)],
    ];
    const local = [u32(LOCAL), ...fields, title, packed];
    directory.push(
      ...[u32(ENTRY), u16(20), ...fields, u16(0), u16(0), u16(0), u32(0)],
      ...[u32(offset), title],
    );
    parts.push(...local);
    offset += sizeOf(local);
  }
  const count = Object.keys(files).length;
  const end = [
    ...[u32(END), u16(0), u16(0), u16(count), u16(count)],
    ...[u32(sizeOf(directory)), u32(offset), u16(0)],
  ];
  return new Blob([...parts, ...directory, ...end]);
}

function sizeOf(parts) {
  return parts.reduce((sum, it) => sum + it.length, 0);
}

function u16(value) {
  return Uint8Array.of(value, value >>> 8);
}

function u32(value) {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
}

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc;
}
