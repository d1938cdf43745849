/* Keeps the public pages that were seen last, for a phone without network. Staff addresses are never touched:
   the table's page has its own line of taps. Pages come from the network; what is kept is only shown where it fails. */
"use strict";
const VERSION = "{{ version }}";
const PAGES = `cutline-pages-${VERSION}`, FILES = `cutline-files-${VERSION}`;
const MOST = { [PAGES]: 30, [FILES]: 40 };
const AT = "Cutline-At";

/* What an address is: a page, the standings that a page asks for, a file of ours, or nothing to be kept. */
function kindOf(url) {
  if (url.origin !== location.origin) return "";
  if (url.pathname.startsWith("/static/")) return "file";
  const path = url.pathname.replace(/^\/({{ languages }})(?=\/)/, "");
  if (/^\/e\/[^/]+\/standings$/.test(path)) return "part";
  return path === "/" || /^\/e\/[^/]+\/(?!tv\/|tables\/)/.test(path) ? "page" : "";
}

/* Only what anybody may have: no error, no answer that was sent on, nothing personal. The steps of a hand are many
   and seen once: kept, they would push the standings out. */
function mayKeep(url, found) {
  if (/\/hands\/\d+\/\d+\/$/.test(url.pathname)) return false;
  const public_ = /\bpublic\b/.test(found.headers.get("Cache-Control") || "");
  return found.status === 200 && found.type === "basic" && !found.redirected && !url.search && public_;
}

const keyOf = (url) => url.origin + url.pathname;

async function keep(url, kind, found) {
  const name = kind === "file" ? FILES : PAGES, cache = await caches.open(name);
  const headers = new Headers(found.headers);
  headers.set(AT, String(Date.now()));
  await cache.put(keyOf(url), new Response(await found.blob(), { headers }));
  const over = (await cache.keys()).length - MOST[name];
  if (over > 0) await Promise.all((await oldestOf(cache)).slice(0, over).map((old) => cache.delete(old)));
}

/* The keys, those seen longest ago first: a cache promises no order of its own. */
async function oldestOf(cache) {
  const at = async (key) => Number((await cache.match(key, { ignoreVary: true }))?.headers.get(AT));
  const aged = await Promise.all((await cache.keys()).map(async (key) => ({ key, at: await at(key) })));
  return aged.sort((one, other) => one.at - other.at).map(({ key }) => key);
}

/* What is not there any more is not shown any more. */
const forget = async (url) => (await caches.open(PAGES)).delete(keyOf(url));

/* The page as it was, with its time on its root: the page's own script says how old it is. */
async function marked(kept) {
  const html = (await kept.text()).replace("<html ", `<html data-kept="${kept.headers.get(AT)}" `);
  const headers = new Headers(kept.headers);
  for (const name of ["Content-Encoding", "Content-Length", "ETag"]) headers.delete(name);
  return new Response(html, { headers });
}

async function answer(event, url, kind) {
  try {
    const found = await fetch(event.request);
    if (mayKeep(url, found)) event.waitUntil(keep(url, kind, found.clone()));
    else if (found.status === 404) event.waitUntil(forget(url));
    return found;
  } catch (away) {
    const kept = kind === "part" ? undefined : await caches.match(keyOf(url), { ignoreVary: true });
    if (!kept) throw away;
    return kind === "page" ? marked(kept) : kept;
  }
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url), kind = event.request.method === "GET" ? kindOf(url) : "";
  if (kind === "file" || kind === "part" || (kind === "page" && event.request.mode === "navigate")) {
    event.respondWith(answer(event, url, kind));
  }
});

/* The page that was open before there was a worker, with its files. */
self.addEventListener("message", (event) => {
  const urls = (event.data?.keep || []).map((each) => new URL(each, location.origin)).filter((url) => kindOf(url));
  event.waitUntil(Promise.all(urls.map(async (url) => {
    const found = await fetch(url);
    if (mayKeep(url, found)) await keep(url, kindOf(url), found);
  })));
});

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith("cutline-") && !(name in MOST));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
})()));
