// The service worker of the shopper page. It has the page open without a connection: it
// stores the page, its script, styles and icon, and nothing else. release, page and files
// are set by the server. Every release has a worker of its own, which drops what the one
// before has stored.

const prefix = `larder${page.replaceAll("/", "-")}-`, name = prefix + release;

addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(name);
    await cache.addAll(files);
    if (!await store(await fetch(page))) throw new Error("the page is of another release");
    await skipWaiting();
  })());
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== name);
    await Promise.all(old.map((key) => caches.delete(key)));
    await clients.claim();
  })());
});

addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.mode === "navigate" && event.request.method === "GET" && pathname === page) event.respondWith(open(event));
  else if (files.includes(pathname)) event.respondWith(stored(pathname, event.request));
});

// open gets the page from the server, and stores it for the time without one.
async function open(event) {
  try {
    const response = await fetch(event.request);
    event.waitUntil(store(response.clone()));
    return response;
  } catch (error) {
    const cache = await caches.open(name);
    const response = await cache.match(page);
    if (response === undefined) throw error;
    return response;
  }
}

// store keeps the page if it belongs to the files stored, and says whether it does.
async function store(response) {
  const text = await response.clone().text();
  const fits = response.ok && files.every((file) => text.includes(file));
  if (fits) await (await caches.open(name)).put(page, response);
  return fits;
}

async function stored(path, request) {
  const cache = await caches.open(name);
  return await cache.match(path) ?? fetch(request);
}
