import type { Language } from './languages';
import { SLUGS } from './slugs';

/** All pages of the site. A slug of another language redirects to the one of the page's language. */
export const SITE_SLUGS = {
  ...SLUGS,
  features: { en: 'features', es: 'funcionalidades' },
  moving: { en: 'move-from', es: 'mudarse-desde' },
  hosting: { en: 'podcast-hosting', es: 'hosting-podcast' },
  resources: { en: 'resources', es: 'recursos' },
  faq: { en: 'faq', es: 'preguntas-frecuentes' },
  team: { en: 'team', es: 'equipo' },
  stories: { en: 'creator-stories', es: 'creator-stories' },
  webinars: { en: 'webinars', es: 'webinars' },
  manifesto: { en: 'manifesto', es: 'manifesto' },
  status: { en: 'status', es: 'status' },
  affiliates: { en: 'affiliate-program', es: 'programa-de-afiliados' },
  'go-paid': { en: 'go-paid', es: 'go-paid' },
} as const satisfies Record<string, Record<Language, string>>;

export type SitePage = keyof typeof SITE_SLUGS;
