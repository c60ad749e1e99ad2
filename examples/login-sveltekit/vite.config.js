import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";

export default {
  plugins: [
    sveltekit({
      adapter: adapter(),
      // Back-channel logouts have no Origin; src/hooks.server.js checks the rest.
      csrf: { trustedOrigins: ["*"] },
    }),
  ],
};
