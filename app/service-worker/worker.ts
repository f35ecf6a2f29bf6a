import { respondWithPart } from './byte-part';
import { type FetchEvent, scope } from './scope';
import { shellPathFor, storeShell } from './shell';
import { checkAccess, isOutdated, recordPath, SAVED_CACHE, SHELL_CACHE } from './stored';

/**
 * The service worker of each of our hosts: without a connection, it opens the page of saved episodes and plays them. It
 * answers requests only for pages, our code and saved audio, and stores nothing else (decision 0171).
 */
const CACHES = [SHELL_CACHE, SAVED_CACHE];
const CHECK_AGAIN_AFTER_MS = 300_000;
const checkedAt = new Map<string, number>();

scope.addEventListener('install', (event) => event.waitUntil(storeShell().then(() => scope.skipWaiting())));
scope.addEventListener('activate', (event) => event.waitUntil(activate()));
// pages send a message once a day: a release may change the pages' code without changing this file
scope.addEventListener('message', (event) => event.waitUntil(storeShell().catch(() => {})));

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(openPage(event, pathname, search));
  else if (pathname.startsWith('/assets/')) event.respondWith(fromShell(request));
  else if (/^\/audio\/\d+\/[^/]+\.mp3$/.test(pathname) && search === '')
    event.respondWith(playSaved(request, pathname));
});

async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (!CACHES.includes(name)) await caches.delete(name);
  // without this, starting the worker would delay each page
  await scope.registration.navigationPreload?.enable();
  await scope.clients.claim();
}

async function openPage(event: FetchEvent, pathname: string, search: string): Promise<Response> {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    const path = shellPathFor(pathname);
    const shell = await caches.match(path, { cacheName: SHELL_CACHE });
    if (!shell || pathname === path) return shell ?? Response.error();
    // the redirect gives the page its own URL, by which its code finds its data
    return Response.redirect(`${path}?from=${encodeURIComponent(pathname + search)}`);
  }
}

async function fromShell(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: SHELL_CACHE })) ?? fetch(request);
}

async function playSaved(request: Request, audioPath: string): Promise<Response> {
  const saved = await caches.match(audioPath, { cacheName: SAVED_CACHE });
  if (!saved || !(await mayPlay(audioPath))) return fetch(request);
  return respondWithPart(saved, request.headers.get('range'));
}

/** With a connection the server decides; without one, a recent check of the access is enough. */
async function mayPlay(audioPath: string): Promise<boolean> {
  const now = Date.now();
  if (now - (checkedAt.get(audioPath) ?? 0) < CHECK_AGAIN_AFTER_MS) return true;
  const answer = navigator.onLine ? await checkAccess(audioPath, now) : null;
  if (answer) checkedAt.set(audioPath, now);
  if (answer !== null) return answer;
  const record = await caches.match(recordPath(audioPath), { cacheName: SAVED_CACHE });
  return record !== undefined && !isOutdated(await record.json(), now);
}
