import { getSession } from "./lib/server/session.js";
import { env } from "node:process";

export async function handle({ event, resolve }) {
  const { request } = event;
  const session = await getSession();
  try {
    const response = await session.handle(request);
    if (response) return response;
    event.locals.current = await session.get(request);
  } catch (error) {
    const response = await session.recover(error, request);
    if (response) return response;
    throw error;
  }
  const isRead = ["GET", "HEAD", "OPTIONS"].includes(request.method);
  if (isRead || request.headers.get("origin") === env.ORIGIN) {
    return await resolve(event);
  }
  return new Response("Cross-site request", { status: 403 });
}
