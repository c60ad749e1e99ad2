import { getSession } from "../lib/session.js";

export async function GET(request) {
  const session = await getSession();
  try {
    const current = await session.get(request);
    if (!current) return await session.login(request);
    return new Response(`Hello, ${current.user.name}`);
  } catch (error) {
    const response = await session.recover(error, request);
    if (response) return response;
    throw error;
  }
}
