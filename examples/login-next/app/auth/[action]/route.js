import { getSession } from "../../../lib/session.js";

export async function GET(request) {
  const session = await getSession();
  return await session.handle(request) ?? new Response(null, { status: 404 });
}

export { GET as POST };
