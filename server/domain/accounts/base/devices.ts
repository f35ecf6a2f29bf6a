import Bowser from 'bowser';

/** What a user agent says about itself; null where it says nothing. */
export type Device = { browser: string | null; system: string | null };

/**
 * `Mozilla/5.0 (Windows NT 10.0 …) … Firefox/132.0` → Firefox, Windows. Only for people to recognize; never for
 * decisions.
 */
export function deviceOf(userAgent: string): Device {
  if (userAgent === '') return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent);
  return { browser: browser.name || null, system: os.name ?? null };
}
