/** Configuration of nginx. */
import { mkdir, writeFile } from "node:fs/promises";
import type { Command } from "../process.ts";

/** Directives for one process in a folder, without logs. */
const CONFIGURATION = `
error_log stderr error;
pid nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  types { application/json json; }
  sendfile on;
  # As many requests of a connection as a load sends.
  keepalive_requests 100000000;
  client_body_temp_path temporary;
  proxy_temp_path temporary;
  fastcgi_temp_path temporary;
  uwsgi_temp_path temporary;
  scgi_temp_path temporary;
SERVERS
}
`;

/** Writes a configuration into a folder. Returns the command that uses it. */
export async function nginxCommand(
  folder: string,
  servers: string,
): Promise<Command> {
  await mkdir(folder, { recursive: true });
  const text = CONFIGURATION.replace("SERVERS", () => servers);
  await writeFile(`${folder}/nginx.conf`, text);
  const files = ["-p", folder, "-c", "nginx.conf", "-e", "stderr"];
  return ["nginx", ...files, "-g", "daemon off; master_process off;"];
}
