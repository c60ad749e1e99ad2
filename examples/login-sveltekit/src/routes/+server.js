import { getSession } from "../lib/server/session.js";

export async function GET({ request, locals }) {
  const session = await getSession();
  if (!locals.current) return await session.login(request);
  return new Response(`Hello, ${locals.current.user.name}`);
}
