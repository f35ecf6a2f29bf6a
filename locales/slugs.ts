import type { Language } from './languages';

/** The pages whose path differs between languages (spec §2.3), and others of the site that look the same to everybody. */
export const SLUGS = {
  discover: { en: 'discover', es: 'descubrir' },
  privacy: { en: 'privacy-policy', es: 'privacy-policy' },
  terms: { en: 'terms-and-conditions', es: 'terminos-y-condiciones' },
} as const satisfies Record<string, Record<Language, string>>;

/** The same page's slug in another language; other path segments stay as they are. */
export function slugInLanguage(segment: string, language: Language): string {
  const page = Object.values(SLUGS).find((names) => Object.values<string>(names).includes(segment));
  return page?.[language] ?? segment;
}
