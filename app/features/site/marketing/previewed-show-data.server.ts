import { data } from '@remix-run/node';
import { lossGroups, type ReportGroup, repairGroups } from '~/app/features/studio/rss-import/report-groups';
import type { Door } from '~/app/lib/doors.server';
import { formatFileSize } from '~/app/lib/formats';
import { pathsFor } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { formatDate } from '~/server/base/formats';
import { splitAtLinks } from '~/server/base/html';
import type { Caller } from '~/server/trpc/caller';
import { siteLinks } from './site-links.server';

/** The address is a secret: nothing may keep the page or pass the address on. */
const HEADERS = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'same-origin',
};

const DAY = { dateStyle: 'long', timeZone: 'UTC' } as const;

type Opened = Awaited<ReturnType<Caller['imports']['openShowPreview']>>;

/** `/feed-preview/:token`; status 410 for one that has expired or never existed. */
export async function previewedShowData(door: Door) {
  const { api, context, params } = door;
  const t = translator(context.language, 'arrival');
  try {
    const opened = await api.imports.openShowPreview({ token: params.token ?? '' });
    const title = t('preview.title', { name: opened.preview.title });
    return data({ title, links: siteLinks(door), show: toPreviewedShow(door, opened) }, { headers: HEADERS });
  } catch (error) {
    const { status, kind } = context.describeError(error);
    if (kind !== 'expired' && kind !== 'invalid') throw error;
    return data(
      { title: t('expired.title'), links: siteLinks(door), show: null },
      { status: kind === 'invalid' ? 410 : status, headers: HEADERS },
    );
  }
}

export type PreviewedShow = ReturnType<typeof toPreviewedShow>;

function toPreviewedShow({ context, url: { pathname } }: Door, { url, expiresAt, preview }: Opened) {
  const { language, locale } = context;
  const t = translator(language, 'arrival');
  const paths = pathsFor({ pathname });
  const { title, author, picture, description, episodes, oldest, bytes, isPartial, latest, losses, repairs } = preview;
  const texts = (groups: ReportGroup[]) => toTexts({ language }, groups);
  return {
    ...{ title, author, picture, isPartial, language: preview.language },
    description: splitAtLinks(description),
    expires: formatDate(expiresAt, locale, DAY),
    host: new URL(url).hostname,
    facts: [
      t('preview.count', { count: episodes }),
      oldest && t('preview.since', { date: formatDate(new Date(oldest), locale, DAY) }),
      bytes > 0 && t('preview.size', { size: formatFileSize(bytes, locale) }),
    ].filter((fact): fact is string => Boolean(fact)),
    episodes: latest.map(({ title: name, notes, publishedAt, durationMs }) => ({
      ...{ name, notes, releaseDate: publishedAt },
      durationSeconds: durationMs === null ? null : Math.round(durationMs / 1000),
    })),
    more: episodes - latest.length,
    comes: isPartial ? null : t('preview.all', { count: episodes }),
    lost: texts(lossGroups(losses)),
    repaired: texts(repairGroups(repairs)),
    hasNoCover: preview.cover !== null && picture === null,
    paths: { keep: paths.register(paths.importFeedAt(url)), other: paths.feedPreview },
  };
}

/** In the words of the import. */
function toTexts({ language }: Pick<Door['context'], 'language'>, groups: ReportGroup[]): string[] {
  const t = translator(language, 'imports');
  return groups.map(({ key, count, percent }) => {
    const text = t(key, { percent: percent ?? 0 });
    return count > 1 ? `${text} (${t('preview.count', { count })})` : text;
  });
}
