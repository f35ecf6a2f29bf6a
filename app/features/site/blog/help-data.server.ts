import { data, redirect } from '@remix-run/node';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import type { Door } from '~/app/lib/doors.server';
import { searchedWords } from '~/app/lib/searched-words';
import { sitePathsIn } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { HELP_AUDIENCES } from '~/server/limits/content';
import { CONTENT_TAGS, describeText, orNotFound, sitePageMetadata, textAt, textMetadata } from './text-metadata.server';

/** `/help`, `/help?search=`. */
export async function helpData(door: Door) {
  assertOwnHelp(door);
  const { api, context, url } = door;
  const search = searchedWords(url.searchParams);
  const articles = await orNotFound(door, api.content.help({ search: search || undefined }));
  const t = translator(context.language, 'help');
  const described = { title: t('title'), description: t('description') };
  const metadata = {
    ...(await sitePageMetadata(door, { ...described, pathIn: (prefix) => sitePathsIn(prefix).help })),
    isUnlisted: search !== '',
  };
  const groups = HELP_AUDIENCES.map((audience) => ({
    audience,
    articles: articles.filter((article) => article.audience === audience),
  }));
  return data(
    { metadata, links: siteLinks(door), search, articles, groups: groups.filter((group) => group.articles.length > 0) },
    CONTENT_TAGS,
  );
}

export async function helpArticleData(door: Door) {
  assertOwnHelp(door);
  const { api, context } = door;
  const article = await textAt(door, (slug) => api.content.helpArticle({ slug }));
  const { addresses, ...shown } = article;
  const metadata = await textMetadata(door, article, addresses);
  describeText(door, [helpCrumb(door), { name: article.title, path: addresses[context.language] }]);
  return data({ metadata, links: siteLinks(door), article: shown }, CONTENT_TAGS);
}

/** @throws a redirect to the operator's help centre, if there is one elsewhere */
function assertOwnHelp({ context }: Door): void {
  if (context.settings.helpUrl) throw redirect(context.settings.helpUrl, 302);
}

const helpCrumb = ({ context: { language } }: Door) => ({
  name: translator(language, 'help')('title'),
  path: sitePathsIn(`/${language}`).help,
});
