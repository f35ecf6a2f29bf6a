import type { Language } from './languages';

/**
 * Pages to which listeners' pages lead, and those that change their slug with the language (spec §2.3). Every listener
 * loads this file, so `site-slugs.ts` has the others.
 */
export const SLUGS = {
  blog: { en: 'blog', es: 'blog' },
  discover: { en: 'discover', es: 'descubrir' },
  pricing: { en: 'pricing', es: 'precios' },
  calculator: { en: 'calculator', es: 'calculadora' },
  help: { en: 'help', es: 'ayuda' },
  privacy: { en: 'privacy-policy', es: 'privacy-policy' },
  cookies: { en: 'cookies', es: 'cookies' },
  imprint: { en: 'imprint', es: 'aviso-legal' },
  'data-processing': { en: 'data-processing-agreement', es: 'contrato-de-encargo-de-tratamiento' },
  terms: { en: 'terms-and-conditions', es: 'terminos-y-condiciones' },
} as const satisfies Record<string, Record<Language, string>>;

/** The same page's slug in another language; other path segments stay as they are. */
export function slugInLanguage(segment: string, language: Language): string {
  const page = Object.values(SLUGS).find((names) => Object.values<string>(names).includes(segment));
  return page?.[language] ?? segment;
}
