/** Pages of the authorization server, for login and consent. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** User of the authorization server. */
export const PERSON = {
  login: "maria",
  password: "senha-da-maria-8e1f",
  claims: { sub: "maria", name: "Maria Conceição", email: "maria@example.com" },
} as const;

/** Types of `oidc-provider`, as far as they are used. */
export interface Oidc {
  readonly Grant: new (of: { accountId: string; clientId: string }) => {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  };
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Interaction>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: Record<string, unknown>,
    options: { mergeWithLastSubmission: boolean },
  ): Promise<void>;
  /** Adds a step around the answer to a request. */
  use(
    step: (
      ctx: { path: string; body: unknown },
      next: () => Promise<void>,
    ) => Promise<void>,
  ): void;
  on(event: "server_error", listen: (ctx: unknown, error: Error) => void): void;
  on(event: "error", listen: (error: Error) => void): void;
}

interface Interaction {
  readonly prompt: {
    readonly name: string;
    readonly details: {
      readonly missingOIDCScope?: readonly string[];
      readonly missingResourceScopes?: {
        readonly [resource: string]: readonly string[];
      };
    };
  };
  readonly params: { readonly client_id: string };
  readonly session?: { readonly accountId: string };
}

/** Shows the page of an interaction, or reads its form. */
export async function showPages(
  oidc: Oidc,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await oidc.interactionDetails(
    request,
    response,
  );
  const form = request.method === "POST" ? await readForm(request) : undefined;
  const finish = (result: Record<string, unknown>) =>
    oidc.interactionFinished(request, response, result, {
      mergeWithLastSubmission: true,
    });

  if (prompt.name === "login") {
    if (!form) return showPage(response, 200, LOGIN_PAGE);
    const { login, password } = Object.fromEntries(form);
    if (login !== PERSON.login || password !== PERSON.password) {
      return showPage(response, 403, LOGIN_PAGE);
    }
    return await finish({ login: { accountId: login } });
  }

  if (!form) return showPage(response, 200, CONSENT_PAGE);
  if (form.get("decision") !== "allow") {
    return await finish({ error: "access_denied" });
  }
  const grant = new oidc.Grant({
    accountId: session?.accountId ?? "",
    clientId: params.client_id,
  });
  grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(" "));
  for (
    const [resource, scopes] of Object.entries(
      prompt.details.missingResourceScopes ?? {},
    )
  ) {
    grant.addResourceScope(resource, scopes.join(" "));
  }
  return await finish({ consent: { grantId: await grant.save() } });
}

const LOGIN_PAGE = `<form method="post">
<input name="login" required>
<input name="password" type="password" required>
<button>Entrar</button>
</form>`;

const CONSENT_PAGE = `<form method="post">
<button name="decision" value="deny">Negar</button>
<button name="decision" value="allow">Permitir</button>
</form>`;

function showPage(response: ServerResponse, status: number, form: string) {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" })
    .end(`<!DOCTYPE html><title>Servidor</title>${form}`);
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(await new Blob(chunks as BlobPart[]).text());
}
