import type { Language } from '~/locales/languages';
import { countryName } from './formats';
import names from './region-names.json';

const NAMES: Record<string, string | undefined> = names;

/**
 * A region with its country: `Madrid, Spain`. Its own name, as its inhabitants write it, is known for the countries most
 * of our listeners live in; others keep the code: `Japan (JP-13)`. @param code ISO 3166-2
 */
export function regionName(code: string, language: Language): string {
  const country = countryName(code.slice(0, 2), language);
  const name = NAMES[code];
  return name === undefined ? `${country} (${code})` : `${name}, ${country}`;
}
