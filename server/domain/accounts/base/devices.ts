import Bowser from 'bowser';

/** What a user agent reveals about its device; null where it reveals nothing. */
export type Device = { browser: string | null; system: string | null };

/**
 * `Mozilla/5.0 (Windows NT 10.0 …) … Firefox/132.0` → Firefox, Windows. Helps people recognize a device; never used for
 * decisions.
 */
export function deviceOf(userAgent: string): Device {
  if (userAgent === '') return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent);
  return { browser: browser.name || null, system: os.name ?? null };
}
