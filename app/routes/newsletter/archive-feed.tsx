import { domainOf } from '~/app/features/site/public/page-data.server';
import { notFound } from '~/app/features/site/site/not-found.server';
import { file } from '~/app/lib/doors.server';
import { escapeHtml } from '~/server/base/html';
import { ARCHIVE_PATH, archiveFeedPath, editionPath } from '~/server/base/public-paths';

/** The archive as an Atom feed (RFC 4287), for readers who want no email. */
export const loader = file(async ({ api, context, params }) => {
  const domain = domainOf(context, params.handle);
  if (domain === null) throw notFound();
  const { name, description, language, items } = await api.newsletter.archive({ domain });
  const address = (path: string) => escapeHtml(context.urls.creator(domain, path));
  const entries = items.map(({ slug, title, description: summary, startedAt }) => {
    const url = address(editionPath(slug));
    const at = startedAt.toISOString();
    return (
      `<entry><id>${url}</id><title>${escapeHtml(title)}</title><link href="${url}"/>` +
      `<updated>${at}</updated><published>${at}</published>` +
      `${summary ? `<summary>${escapeHtml(summary)}</summary>` : ''}</entry>`
    );
  });
  const self = address(archiveFeedPath);
  const xml =
    '<?xml version="1.0" encoding="utf-8"?>\n' +
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeHtml(language)}"><id>${self}</id>` +
    `<title>${escapeHtml(name)}</title>${description ? `<subtitle>${escapeHtml(description)}</subtitle>` : ''}` +
    `<author><name>${escapeHtml(name)}</name></author><link rel="self" href="${self}"/>` +
    `<link href="${address(ARCHIVE_PATH)}"/><updated>${items[0]!.startedAt.toISOString()}</updated>` +
    `${entries.join('')}</feed>\n`;
  return new Response(xml, {
    headers: { 'content-type': 'application/atom+xml; charset=utf-8', 'cache-control': 'public, max-age=300' },
  });
});
