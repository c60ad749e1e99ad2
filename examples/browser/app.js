/**
 * The page before, during and after a login.
 *
 * @module
 */
import { ConnectionError, OAuth2Error } from "@carteiro/oauth2";
import { beginLogin, endLogin, LoginError } from "./login.js";

const element = (id) => document.getElementById(id);

/** Current login. A reload of the page discards it, including the token. */
let login;

element("sign-in").addEventListener("click", () => during(beginLogin));
element("sign-out").addEventListener("click", () => during(signOut));
// The back button restores the page with its buttons disabled.
addEventListener("pageshow", ({ persisted }) => persisted && showBusy(false));
await during(signIn);

async function signIn() {
  login = await endLogin();
  if (login === undefined) return;
  showUser(login.user);
  // Screen readers continue here, not at the top of the page.
  element("greeting").focus();
}

async function signOut() {
  const { revoke } = login;
  login = undefined;
  showUser(undefined);
  element("welcome").focus();
  await revoke();
}

/** Runs an action with the buttons disabled, and shows its error. */
async function during(action) {
  showBusy(true);
  element("error").textContent = "";
  try {
    await action();
  } catch (error) {
    element("error").textContent = explain(error);
  }
  showBusy(false);
}

function explain(error) {
  if (error instanceof LoginError) return error.message;
  if (error instanceof ConnectionError) {
    return "The authorization server is unreachable. Try again later.";
  }
  if (error instanceof OAuth2Error) {
    return `The authorization server refused: ${error.message}`;
  }
  console.error(error);
  return "Something went wrong. Try again.";
}

function showBusy(isBusy) {
  element("busy").textContent = isBusy ? "Please wait …" : "";
  for (const button of document.querySelectorAll("button")) {
    button.disabled = isBusy;
  }
}

function showUser(user) {
  element("signed-out").hidden = user !== undefined;
  element("signed-in").hidden = user === undefined;
  element("claims").replaceChildren(
    ...Object.entries(user ?? {}).flatMap(([name, value]) => [
      newElement("dt", name),
      newElement(
        "dd",
        typeof value === "string" ? value : JSON.stringify(value),
      ),
    ]),
  );
  if (user === undefined) return;
  element("greeting").textContent = `Hello, ${user.name ?? user.sub}`;
}

function newElement(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}
