/** Imports whose calls of the database or of the file system fail. */
import { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import type { Staging, Writer } from "../../../cep/store/mod.ts";
import { type Fault, OLD } from "./_fault.ts";

const FAILURE = "EIO: i/o error";

function fail(): never {
  throw Object.assign(new Error(FAILURE), { code: "EIO" });
}

const METHODS = [
  "addLocalities",
  "addNeighbourhoods",
  "addDetails",
  "addCensus",
  "addEntries",
  "addDuplicates",
  "publish",
] as const satisfies readonly (keyof Staging)[];

/** Returns a store whose staging fails at a method, before or after it. */
function failingStore(
  store: Writer,
  method: typeof METHODS[number],
  isAfter: boolean,
): Writer {
  return {
    async stage(holder) {
      const staging = await store.stage(holder);
      return new Proxy(staging, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== "function") return value;
          return async (...args: unknown[]) => {
            if (name === method && !isAfter) fail();
            const result: unknown = await value.apply(target, args);
            if (name === method) fail();
            return result;
          };
        },
      });
    },
  };
}

/** Writes that fail at each call. */
export const FAILING_WRITES: readonly Fault[] = METHODS.flatMap((method) =>
  [false, true]
    .filter((isAfter) => !(isAfter && method === "publish"))
    .map((isAfter): Fault => ({
      step: method,
      fault: isAfter ? "failure after the call" : "failing write",
      outcomes: OLD,
      apply: (scene) =>
        scene.fail({ change: (store) => failingStore(store, method, isAfter) }),
    }))
);

type Failing = (path: string) => ReleaseDirectory;

/** Folders in which a call fails. */
const DIRECTORIES: readonly [step: string, fault: string, make: Failing][] = [
  [
    "lock",
    "failing lock",
    (path) =>
      new class extends ReleaseDirectory {
        override lock = () => Promise.reject(new Error(FAILURE));
      }(path),
  ],
  [
    "begin",
    "missing folder of the new file",
    (path) =>
      new class extends ReleaseDirectory {
        override newPath = () => `${path}/missing/cep.building`;
      }(path),
  ],
  [
    "publication",
    "failing sync",
    (path) =>
      new class extends ReleaseDirectory {
        override publish = () => Promise.reject(new Error(FAILURE));
      }(path),
  ],
  [
    "publication",
    "failing rename",
    (path) => new ReleaseDirectory(path, { rename: () => fail() }),
  ],
  [
    "publication",
    "failing rename, as on Windows",
    (path) =>
      new ReleaseDirectory(path, {
        rename: () =>
          Promise.reject(Object.assign(new Error("EBUSY"), { code: "EBUSY" })),
      }),
  ],
  [
    "removal of the new file",
    "failing rename and removal",
    (path) =>
      new class extends ReleaseDirectory {
        override publish = () => Promise.reject(new Error(FAILURE));
        override discard = () => Promise.reject(new Error(FAILURE));
      }(path),
  ],
];

/** Calls of the file system that fail. */
export const FAILING_CALLS: readonly Fault[] = DIRECTORIES.map(
  ([step, fault, make]) => ({
    step,
    fault,
    outcomes: OLD,
    apply: (scene) => scene.fail({ directory: make(scene.database) }),
  }),
);
