import { data } from '@remix-run/node';
import {
  CONTENT_TAGS,
  describeText,
  sitePageMetadata,
  textAt,
  textMetadata,
} from '~/app/features/site/blog/text-metadata.server';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import type { Door } from '~/app/lib/doors.server';
import { pathsIn } from '~/app/lib/paths';
import { prefixOf } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { formatDate, localeOf } from '~/server/base/formats';

/** `/move-from`: the hosts whose creators find the steps of a move. */
export async function hostGuidesData(door: Door) {
  const { api, context, url } = door;
  const t = translator(context.language, 'arrival');
  const metadata = await sitePageMetadata(door, {
    title: t('hosts.title'),
    description: t('hosts.description'),
    pathIn: (prefix) => pathsIn(prefix).moving,
  });
  const { moving } = pathsIn(prefixOf(url.pathname));
  const hosts = (await api.content.hosts()).map(({ slug, name, description }) => ({
    ...{ name, description },
    path: `${moving}/${slug}`,
  }));
  return data({ metadata, links: siteLinks(door), hosts }, CONTENT_TAGS);
}

/** `/move-from/:slug`: the steps at one host. Other spellings redirect to its address. */
export async function hostGuideData(door: Door) {
  const { context, url } = door;
  const { language } = context;
  const found = await textAt(door, (slug) => door.api.content.host({ slug }));
  const { addresses, checked, ...shown } = found;
  const paths = pathsIn(prefixOf(url.pathname));
  const parent = { name: translator(language, 'arrival')('hosts.title'), path: pathsIn(`/${language}`).moving };
  describeText(door, [parent, { name: found.name, path: addresses[language] }]);
  const guide = {
    ...shown,
    checkedOn: formatDate(new Date(`${checked}T00:00:00Z`), localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }),
    paths: { hosts: paths.moving, importFeed: paths.importFeed, feedPreview: paths.feedPreview },
  };
  return data({ metadata: await textMetadata(door, found, addresses), links: siteLinks(door), guide }, CONTENT_TAGS);
}

export type HostGuide = Awaited<ReturnType<typeof hostGuideData>>['data']['guide'];
export type ListedHost = Awaited<ReturnType<typeof hostGuidesData>>['data']['hosts'][number];
