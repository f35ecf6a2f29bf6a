import type { LinkGroup } from '~/app/features/site/site/site-shell';
import type { Door } from '~/app/lib/doors.server';
import { pathsIn } from '~/app/lib/paths';
import { languageOf, type Prefix, prefixOf } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { SITE_SLUGS, type SitePage } from '~/locales/site-slugs';

export const sitePagePath = (prefix: Prefix, page: SitePage): string =>
  `${prefix}/${SITE_SLUGS[page][languageOf(prefix)]}`;

const GROUPS = {
  publish: ['features', 'hosting', 'pricing', 'calculator', 'moving', 'go-paid'],
  learn: ['blog', 'resources', 'faq', 'help', 'developers', 'stories'],
  listen: ['discover', 'podcatcher'],
  about: ['manifesto', 'team', 'affiliates', 'status', 'contact'],
} as const satisfies Record<string, readonly (SitePage | 'podcatcher' | 'contact' | 'developers')[]>;

/** The pages of the site for its footer, in the language of the page. */
export function siteLinks({ context, url }: Pick<Door, 'context' | 'url'>): LinkGroup[] {
  const t = translator(context.language, 'pages');
  const prefix = prefixOf(url.pathname);
  const { apiDocs, contact, podcatcher } = pathsIn(prefix);
  // no page of the app, so its link leaves the document
  const others = { contact, podcatcher: podcatcher(), developers: context.urls.app(apiDocs) };
  return Object.entries(GROUPS).map(([group, names]) => ({
    title: t(`links.${group}`),
    pages: names.map((name): [string, string] => [
      t(`link.${name}`),
      name in others ? others[name as keyof typeof others] : sitePagePath(prefix, name as SitePage),
    ]),
  }));
}
