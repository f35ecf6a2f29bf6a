import { data } from '@remix-run/node';
import { sitePageMetadata } from '~/app/features/site/blog/text-metadata.server';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import type { Door } from '~/app/lib/doors.server';
import { pathsIn } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';

export type LegalDocument = 'privacy' | 'terms';

/** The data of a legal page. It is the same for all visitors and changes only with the settings, at a restart. */
export async function legalPageData(door: Door, document: LegalDocument) {
  const { context } = door;
  const { language, settings } = context;
  const t = translator(language, 'legal');
  const metadata = await sitePageMetadata(door, {
    title: t(`${document}.title`),
    description: t(`${document}.description`),
    pathIn: (prefix) => pathsIn(prefix)[document],
  });
  return data(
    { operator: settings.operator, links: siteLinks(door), metadata },
    { headers: { 'x-cache-tags': 'legal' } },
  );
}
