/** Set by the server when somebody has logged out, for the minute in which this page loads. */
const SIGNED_OUT = /(?:^|;\s*)signed_out=1(?:;|$)/;

/** On the login page, which also people see whose session has expired: their drafts are kept. */
export async function clearAfterLogOut(): Promise<void> {
  if (SIGNED_OUT.test(document.cookie)) await clearBrowserStorage();
}

/**
 * Removes everything that this site has stored in the browser: drafts, uploads and their files, the player's track.
 * Clear-Site-Data does the same, but not in every browser, and a page that is left saves its drafts after it.
 */
export async function clearBrowserStorage(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  await Promise.allSettled([clearDatabases(), clearCaches(), removeWorkers()]);
}

async function clearDatabases(): Promise<void> {
  for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
}

async function clearCaches(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
}

async function removeWorkers(): Promise<void> {
  for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
}
