import { redirect } from '@remix-run/node';
import type { LinkGroup } from '~/app/features/site/site/site-shell';
import { type Door, pagePath } from '~/app/lib/doors.server';
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

/** Redirects `/es/features` to `/es/funcionalidades`; without a language, either slug stays. @throws the redirect */
export function assertSlug({ context: { language }, url }: Pick<Door, 'context' | 'url'>, page: SitePage) {
  const { pathname } = url;
  const prefix = prefixOf(pathname);
  const [asked = '', ...rest] = pathname.slice(prefix.length + 1).split('/');
  const own = SITE_SLUGS[page][language];
  // route changes ask for `/features.data`
  if (prefix && asked.replace(/\.data$/, '') !== own)
    throw redirect(pagePath({ url: new URL([prefix, own, ...rest].join('/') + url.search, url) }), 301);
}
