/** Spreadsheets that a test gives to the page and takes from it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** Chooses a file, and waits until the page has read it. */
export async function choose(
  page: Page,
  content: string | Uint8Array,
  name = "clientes.csv",
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  try {
    const path = join(folder, name);
    writeFileSync(path, content);
    await page.locator("#file").setInputFiles(path);
    await page.locator("#mapping, #table-problem").filter({ visible: true })
      .first().waitFor();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sends the chosen table, and waits for the counts. */
export async function check(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Conferir endereços" }).click();
  await page.locator(".counts").waitFor();
}

/** Downloads the answers. */
export async function download(
  page: Page,
  button = "Baixar CSV",
  expectedName = "clientes-cep.csv",
): Promise<Uint8Array> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const saved = await download;
  if (saved.suggestedFilename() !== expectedName) {
    throw new Error(`Cannot expect the name ${saved.suggestedFilename()}`);
  }
  return readFileSync(await saved.path());
}

/** Downloads the answers as text. */
export async function downloadCsv(page: Page): Promise<string> {
  return new TextDecoder("utf-8", { ignoreBOM: true })
    .decode(await download(page));
}

/** Checks a table, and returns the text of its answers. */
export async function checkTable(
  page: Page,
  content: string | Uint8Array,
): Promise<string> {
  await choose(page, content);
  await check(page);
  return await downloadCsv(page);
}
