// The page without a connection: a service worker answers for the server.

import { at } from "../lang.js";

const script = at("/shopper/worker.js");

// startWorker has the browser install the worker. A browser that can't goes on without.
export async function startWorker() {
  if (!navigator.serviceWorker) return; // plain http, or a private window
  // The page's policy lets scripts be named by this one policy, which names this script.
  const policy = window.trustedTypes?.createPolicy("shopper-worker", { createScriptURL: () => script });
  try {
    await navigator.serviceWorker.register(policy ? policy.createScriptURL("") : script, { scope: at("/shopper"), updateViaCache: "none" });
  } catch {
    // It is for the time without a connection only.
  }
}
