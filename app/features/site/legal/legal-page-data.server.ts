import { data } from '@remix-run/node';
import { CONTENT_TAGS, describeText, textMetadata } from '~/app/features/site/blog/text-metadata.server';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import type { Door } from '~/app/lib/doors.server';
import type { LegalPage } from '~/server/limits/content';

/** A legal page, whose text is the file of its name in `content/{en,es}/legal`. It is the same for all visitors. */
export async function legalPageData(door: Door, name: LegalPage) {
  const { addresses, ...text } = await door.api.content.legal({ name });
  const { title, description, language, updated } = text;
  const path = addresses[door.context.language];
  describeText(door, [{ name: title, path }], {
    '@type': 'WebPage',
    name: title,
    description,
    url: door.context.urls.app(path),
    inLanguage: language,
    dateModified: updated,
  });
  const metadata = await textMetadata(door, text, addresses);
  return data({ text, links: siteLinks(door), metadata }, CONTENT_TAGS);
}

export type LegalView = Omit<Awaited<ReturnType<typeof legalPageData>>['data'], 'metadata'>;
