import { raw } from 'hono/html';
import type { Language } from '~/locales/languages';
import { type DocsSite, docsPage, guidesOf } from './docs-shell';

/** The installation that guides name. */
const EXAMPLE = 'https://altavoz.example';

/** A guide of content/{en,es}/guides, with this installation's address; null if no guide has this name. */
export function guidePage(site: DocsSite, language: Language, slug: string): string | null {
  const guide = guidesOf(site.library, language).find((each) => each.slug === slug);
  if (!guide) return null;
  const { title, description: lead } = guide.data;
  const body = raw(guide.html.replaceAll(EXAMPLE, site.appUrl));
  return docsPage(site, language, { path: `/${slug}`, title, lead, body });
}
