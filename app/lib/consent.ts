import type { Consent } from '~/server/base/consent';
import { mutateProcedure } from './procedures';

declare global {
  interface Window {
    /** Set if the visitor clicked the button for changing the choice before its code loaded. */
    consentWanted?: boolean;
  }
}

/** The cookie with the visitor's answer to the consent bar. It applies to the app and to all creators' hosts. */
const COOKIE = /(?:^|;\s*)consent=(granted|denied)(?:;|$)/;
const CHANGED = 'consentchange';

/** Null until the visitor has chosen. */
export function readConsent(): Consent | null {
  return (COOKIE.exec(document.cookie)?.[1] as Consent | undefined) ?? null;
}

/** Whether the visitor has agreed to services of third parties. Without consent, none may load. */
export function hasConsented(): boolean {
  return readConsent() === 'granted';
}

/** Calls back when the visitor chooses. @returns a function that stops it */
export function onConsentChange(callback: () => void): () => void {
  window.addEventListener(CHANGED, callback);
  return () => window.removeEventListener(CHANGED, callback);
}

/** The server writes the cookie, because it knows the domain that all our hosts share. */
export async function storeConsent(consent: Consent): Promise<void> {
  await mutateProcedure('accounts.chooseConsent', { consent });
  window.dispatchEvent(new Event(CHANGED));
}
