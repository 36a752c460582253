// A browser sends the session's cookie only with requests that this site's own
// pages make. Who follows a link from elsewhere so gets the page for strangers,
// though signed in. The hint that somebody signed in here, which is no secret,
// tells that page to ask; without it nothing is asked, and nothing refused.

import { ask } from "../ask.js";

const hint = "larder.signed-in";
const returned = "larder.returned"; // which page was left for itself, and when

// remember notes that somebody is signed in.
export function remember() {
  put("localStorage", hint, "yes");
}

// forget takes the note back.
export function forget() {
  put("localStorage", hint, null);
}

// whoIsSignedIn returns the session that there is after all, null if there is none.
export async function whoIsSignedIn() {
  if (take("localStorage", hint) === null) return null;
  try {
    return await ask("/account/session");
  } catch (error) {
    if (error.status === 401 || error.status === 403) forget();
    return null;
  }
}

// loadAgain gets the page anew, for whoever is signed in now.
export function loadAgain() {
  location.replace(location.pathname + location.search);
}

// returnIfSignedIn loads the page again for somebody who is signed in. Should it
// come without the cookie once more, that is left at that.
export async function returnIfSignedIn() {
  const atOnce = 1000; // milliseconds from leaving to the start of this page's loading
  const [page, left] = (take("sessionStorage", returned) || "").split(" ");
  if (page === location.pathname && Math.abs(performance.timeOrigin - Number(left)) < atOnce) return;
  if (await whoIsSignedIn() === null) return;
  put("sessionStorage", returned, `${location.pathname} ${Date.now()}`);
  if (location.hash === "") loadAgain();
  else location.reload(); // keeps what is behind the "#"
}

// Storage may be switched off: then there is no hint, and that is all.
function put(kind, name, value) {
  try {
    if (value === null) window[kind].removeItem(name);
    else window[kind].setItem(name, value);
  } catch { /* switched off */ }
}

function take(kind, name) {
  try {
    return window[kind].getItem(name);
  } catch {
    return null;
  }
}
