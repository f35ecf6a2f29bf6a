import { file } from '~/app/lib/doors.server';
import { sitePathsIn } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { escapeHtml } from '~/server/base/html';

/** The blog as an RSS feed with the whole text of each post. */
export const loader = file(async ({ api, context }) => {
  const { language, urls } = context;
  const t = translator(language, 'blog');
  const posts = await api.content.feed();
  const blog = sitePathsIn(`/${language}`).blog;
  const items = posts.map(({ slug, title, description, date, html, tags }) => {
    const url = escapeHtml(urls.app(`${blog}/${slug}`));
    // readers show the text elsewhere, so addresses are complete
    const text = html.replace(/(<(?:a href|img src)=")\//g, `$1${urls.app('/')}`);
    return (
      `<item><title>${escapeHtml(title)}</title><link>${url}</link><guid isPermaLink="true">${url}</guid>` +
      `<pubDate>${new Date(`${date}T00:00:00Z`).toUTCString()}</pubDate>` +
      tags.map(({ name }) => `<category>${escapeHtml(name)}</category>`).join('') +
      `<description>${escapeHtml(description)}</description>` +
      `<content:encoded>${escapeHtml(text)}</content:encoded></item>\n`
    );
  });
  const self = escapeHtml(urls.app(`${blog}/feed.xml`));
  const xml =
    '<?xml version="1.0" encoding="utf-8"?>\n' +
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">' +
    `<channel><title>${escapeHtml(t('feed'))}</title><link>${escapeHtml(urls.app(blog))}</link>` +
    `<description>${escapeHtml(t('description'))}</description><language>${language}</language>` +
    `<atom:link rel="self" type="application/rss+xml" href="${self}"/>\n${items.join('')}</channel></rss>\n`;
  return new Response(xml, {
    headers: { 'content-type': 'application/rss+xml; charset=utf-8', 'cache-control': 'private, max-age=300' },
  });
});
