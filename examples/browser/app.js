/** The page: what is shown before, during and after a login. */
import { ConnectionError, OAuth2Error } from "@carteiro/oauth2";
import { beginLogin, endLogin, LoginError } from "./login.js";

const element = (id) => document.getElementById(id);

/** Who is signed in. A reload forgets it, and the token with it. */
let login;

element("sign-in").addEventListener("click", () => during(beginLogin));
element("sign-out").addEventListener("click", () => during(signOut));
// Whoever comes back by the browser's button finds the page as it was left.
addEventListener("pageshow", ({ persisted }) => persisted && showBusy(false));
await during(signIn);

async function signIn() {
  login = await endLogin();
  if (login === undefined) return;
  showPerson(login.person);
  // So that a screen reader begins here and not at the top.
  element("greeting").focus();
}

async function signOut() {
  const { giveBack } = login;
  login = undefined;
  showPerson(undefined);
  element("welcome").focus();
  await giveBack();
}

/** Does something that takes a while, and tells the person if it fails. */
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
    return "The authorization server cannot be reached. Try again later.";
  }
  if (error instanceof OAuth2Error) {
    return `The authorization server refused: ${error.message}`;
  }
  console.error(error);
  return "Something went wrong. Try again.";
}

function showBusy(isBusy) {
  element("busy").textContent = isBusy ? "One moment, please …" : "";
  for (const button of document.querySelectorAll("button")) {
    button.disabled = isBusy;
  }
}

function showPerson(person) {
  element("signed-out").hidden = person !== undefined;
  element("signed-in").hidden = person === undefined;
  element("claims").replaceChildren(
    ...Object.entries(person ?? {}).flatMap(([name, value]) => [
      newElement("dt", name),
      newElement(
        "dd",
        typeof value === "string" ? value : JSON.stringify(value),
      ),
    ]),
  );
  if (person === undefined) return;
  element("greeting").textContent = `Hello, ${person.name ?? person.sub}`;
}

function newElement(name, text) {
  const it = document.createElement(name);
  it.textContent = text;
  return it;
}
