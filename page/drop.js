/** Drop zone of the spreadsheet. What checks a table loads with the first. */
import { find, showProblem, texts } from "./dom.js";

/** Enables the drop zone. */
export function enableDrop() {
  const drop = find("#drop");
  const file = find("#file");

  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    open(event.dataTransfer.files[0]);
  });
  file.addEventListener("change", () => {
    open(file.files[0]);
    // The same file can be chosen again.
    file.value = "";
  });
}

async function open(file) {
  if (!file) return;
  showProblem("");
  const hint = find("#drop span");
  const { textContent } = hint;
  hint.textContent = texts.reading;
  try {
    const { openTable } = await import("./cleaning.js");
    await openTable(file);
  } catch (error) {
    showProblem(navigator.onLine ? texts.unreachable : texts.offline);
    throw error;
  } finally {
    hint.textContent = textContent;
  }
}
