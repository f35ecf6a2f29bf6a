import { rssResponse } from '~/app/features/site/blog/rss.server';
import { file } from '~/app/lib/doors.server';
import { sitePathsIn } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';

/** The blog as an RSS feed with the whole text of each post. */
export const loader = file(async ({ api, context }) => {
  const { language, urls } = context;
  const t = translator(language, 'blog');
  const posts = await api.content.feed();
  const { blog } = sitePathsIn(`/${language}`);
  const items = posts.map(({ slug, title, description, date, html, tags }) => ({
    ...{ title, description, url: urls.app(`${blog}/${slug}`) },
    publishedAt: new Date(`${date}T00:00:00Z`),
    tags: tags.map(({ name }) => name),
    html: html.replace(/(<(?:a href|img src)=")\//g, `$1${urls.app('/')}`),
  }));
  const self = urls.app(`${blog}/feed.xml`);
  const description = t('description');
  return rssResponse({ title: t('feed'), url: urls.app(blog), self, description, language }, items);
});
