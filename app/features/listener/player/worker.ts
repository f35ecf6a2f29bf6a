import { WORKER_PATH } from '~/app/service-worker/path';

const REFRESHED_AT = 'shellRefreshedAt';
const DAY_MS = 86_400_000;

/**
 * Registers this host's service worker, for listeners and installed apps. Browsers without service workers are skipped.
 */
export async function registerWorker(): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const { active } = await serviceWorker.register(WORKER_PATH);
  if (active && isDue()) active.postMessage('refresh');
}

/** Once a day, because a release changes the code of the pages that open without a connection. */
function isDue(): boolean {
  try {
    const isOld = Date.now() - Number(localStorage.getItem(REFRESHED_AT)) > DAY_MS;
    if (isOld) localStorage.setItem(REFRESHED_AT, String(Date.now()));
    return isOld;
  } catch {
    return false; // storage is disabled
  }
}
