/** The server sets this cookie when a user logs out, for the minute in which the next page loads. */
const SIGNED_OUT = /(?:^|;\s*)signed_out=1(?:;|$)/;

/**
 * Clears the storage on the login page after a log-out only: users whose session has expired see that page too, and
 * keep their drafts.
 */
export async function clearAfterLogOut(): Promise<void> {
  if (SIGNED_OUT.test(document.cookie)) await clearBrowserStorage();
}

/**
 * Removes everything that this site has stored in the browser: drafts, uploads and their files, the player's track.
 * Clear-Site-Data does the same, but not in every browser, and a page that closes afterwards still saves its drafts.
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
