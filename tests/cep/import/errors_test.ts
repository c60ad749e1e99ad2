import { assertEquals } from "@std/assert";
import {
  CensusError,
  DirectoryError,
  InputsError,
  isRefusal,
  SeedError,
} from "../../../cep/import/errors.ts";
import { DatabaseError } from "../../../cep/store/mod.ts";

const UNREADABLE = Object.assign(new Error("EIO: i/o error, read"), {
  code: "EIO",
  syscall: "read",
});
const FORBIDDEN = Object.assign(new Error("Requires read access"), {
  name: "NotCapable",
});
const INFLATE = Object.assign(new Error("incorrect data check"), {
  code: "Z_DATA_ERROR",
  errno: -3,
});

const damaged = new DirectoryError("/dne", ["LOG_BAIRRO.TXT is missing"]);
const unreadable = new CensusError("/cnefe", ["EIO"], { cause: UNREADABLE });

const CASES: Record<string, readonly [error: unknown, refused: boolean]> = {
  "too few CEPs": [new SeedError("Cannot import: São Paulo is empty"), true],
  "a missing file": [damaged, true],
  "a damaged zip file": [
    new DirectoryError("/dne.zip", ["damaged"], { cause: INFLATE }),
    true,
  ],
  "files of both sources": [new InputsError([damaged, damaged]), true],
  "a disk that cannot be read": [unreadable, false],
  "a disk behind another error": [
    new SeedError("Cannot import", { cause: unreadable }),
    false,
  ],
  "files, and a disk that cannot be read": [
    new InputsError([damaged, unreadable]),
    false,
  ],
  "a missing permission": [
    new DirectoryError("/dne", ["denied"], { cause: FORBIDDEN }),
    false,
  ],
  "another import": [new DatabaseError("another import is running"), false],
  "a bug": [new TypeError("undefined is not a function"), false],
  "a thrown text": ["stop", false],
};

for (const [name, [error, refused]] of Object.entries(CASES)) {
  Deno.test(`isRefusal is ${refused} for ${name}`, () => {
    assertEquals(isRefusal(error), refused);
  });
}
