import type { Language } from '~/locales/languages';
import { escapeHtml } from '~/server/base/html';

/** `html`: the whole text, whose addresses must be complete, because readers show it elsewhere. */
export type RssItem = {
  title: string;
  url: string;
  publishedAt: Date;
  tags: string[];
  description: string;
  html: string;
};
type Channel = { title: string; url: string; self: string; description: string; language: Language };

/** The response of an RSS feed of our own texts. `url`: the page whose feed it is. */
export function rssResponse({ title, url, self, description, language }: Channel, items: RssItem[]): Response {
  const xml =
    '<?xml version="1.0" encoding="utf-8"?>\n' +
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">' +
    `<channel><title>${escapeHtml(title)}</title><link>${escapeHtml(url)}</link>` +
    `<description>${escapeHtml(description)}</description><language>${language}</language>` +
    `<atom:link rel="self" type="application/rss+xml" href="${escapeHtml(self)}"/>\n${items.map(itemXml).join('')}</channel></rss>\n`;
  return new Response(xml, {
    headers: { 'content-type': 'application/rss+xml; charset=utf-8', 'cache-control': 'private, max-age=300' },
  });
}

function itemXml({ title, url, publishedAt, tags, description, html }: RssItem): string {
  const address = escapeHtml(url);
  return (
    `<item><title>${escapeHtml(title)}</title><link>${address}</link><guid isPermaLink="true">${address}</guid>` +
    `<pubDate>${publishedAt.toUTCString()}</pubDate>` +
    tags.map((tag) => `<category>${escapeHtml(tag)}</category>`).join('') +
    `<description>${escapeHtml(description)}</description>` +
    `<content:encoded>${escapeHtml(html)}</content:encoded></item>\n`
  );
}
