import { data } from '@remix-run/node';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import { urlPerLanguage } from '~/app/features/site/public/page-meta';
import { sitePictureOf } from '~/app/features/site/public/site-picture.server';
import type { Door } from '~/app/lib/doors.server';
import { pathsIn } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';

export type LegalDocument = 'privacy' | 'terms';

/** The data of a legal page. It is the same for all visitors and changes only with the settings, at a restart. */
export async function legalPageData(door: Door, document: LegalDocument) {
  const { context } = door;
  const { language, settings, urls } = context;
  const t = translator(language, 'legal');
  const metadata = {
    title: `${t(`${document}.title`)} · Altavoz`,
    description: t(`${document}.description`),
    language,
    urls: urlPerLanguage((prefix) => urls.app(pathsIn(prefix ? `/${prefix}` : '')[document])),
    image: await sitePictureOf(door, pathsIn(`/${language}`)[document]),
    audio: null,
    feed: null,
  };
  return data(
    { operator: settings.operator, links: siteLinks(door), metadata },
    { headers: { 'x-cache-tags': 'legal' } },
  );
}
