import { queryProcedure } from '~/app/lib/procedures';
import type { TrackedEvent } from './events';

declare global {
  interface Window {
    dataLayer?: object[];
  }
}

const SOURCE = 'https://www.googletagmanager.com/gtm.js?id=';
let isLoaded = false;

/** Loads the container once, only after the visitor's consent, and never on a page whose address contains a secret. */
export function loadTagManager(gtmId: string): void {
  if (isLoaded) return;
  isLoaded = true;
  window.dataLayer ??= [];
  window.dataLayer.push({ 'gtm.start': Date.now(), event: 'gtm.js' });
  document.head.append(
    Object.assign(document.createElement('script'), { async: true, src: SOURCE + encodeURIComponent(gtmId) }),
  );
}

/** Whether scripts of third parties run in this document. */
export const hasTagManager = () => isLoaded;

let known: { key: string; data: Promise<unknown> } | null = null;

/**
 * Pushes events in order, with the user data (spec §3, tracking payload). The user data loads once per user and
 * language. A finished subscription changes it, so it loads again before that event (spec §4).
 */
export async function pushEvents(events: TrackedEvent[], key: string): Promise<void> {
  const isStale = events.some((event) => event.event === 'subscription_status' && event.status === 'finished');
  if (isStale || known?.key !== key) known = { key, data: queryProcedure('accounts.trackingData', undefined) };
  const data = (await known.data.catch(forget)) as object | null;
  for (const event of events) window.dataLayer?.push({ ...data, ...event });
}

/** After a failure, the next event tries again. */
function forget(): null {
  known = null;
  return null;
}
