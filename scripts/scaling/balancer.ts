/**
 * Instance of the service behind nginx as a balancer.
 *
 * @module
 */
import { randomPort } from "../bench/programs.ts";
import { nginxCommand } from "./nginx.ts";
import { service, type Way } from "./ways.ts";

/** The balancer is the server, the instance is behind it. */
export const balance: Way = async (options, stack) => {
  const { server: behind } = await service()(options, stack);
  const port = randomPort();
  const { host } = new URL(behind.url);
  const command = await nginxCommand(
    `${options.programs.folder}/balancer`,
    `upstream instances { server ${host}; keepalive 64; }
    server {
      listen 127.0.0.1:${port};
      location / {
        proxy_pass http://instances;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
      }
    }`,
  );
  const { programs, path } = options;
  const server = await programs.startServer({
    path,
    port,
    command,
    pinned: true,
  });
  return { server: stack.use(server), behind };
};
