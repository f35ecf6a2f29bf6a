import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};
const inBrowser = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const onServer = () => null;

/** The browser's time zone; null on the server and during hydration, so that both render the same page. */
export function useBrowserTimeZone(): string | null {
  return useSyncExternalStore(neverChanges, inBrowser, onServer);
}
