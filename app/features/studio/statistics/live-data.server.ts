import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import type { Translate } from '~/locales/translate';
import { countryName, formatDate, formatNumber } from '~/server/base/formats';
import type { LiveFigures, Quiet } from '~/server/domain/statistics/live-figures';
import { bestHour, PATTERN_FROM } from './dates';

type Reader = Pick<Door['context'], 'language' | 'locale'> & { zone: string };
export type ShownLive = ReturnType<typeof toLive>;

/** The last hour with times and names as the reader writes them. */
export function toLive(figures: LiveFigures, { language, locale, zone }: Reader) {
  const t = translator(language, 'statistics');
  const timeOf = (at: Date) => formatDate(at, locale, { hour: '2-digit', minute: '2-digit', timeZone: zone });
  const counted = (plays: number) => t('plays', { count: plays, number: formatNumber(plays, locale) });
  const nameOf = (key: string) =>
    key === 'other' ? t('others') : key === 'ZZ' ? t('unknown') : countryName(key, language);
  return {
    time: timeOf(figures.asOf),
    zone: zone.replaceAll('_', ' '),
    plays: figures.plays,
    columns: figures.minutes.map(({ at, plays }) => ({
      label: timeOf(at),
      value: plays,
      text: `${timeOf(at)}: ${counted(plays)}`,
    })),
    episodes: figures.episodes.map(({ id, name, plays }) => ({ key: String(id), name, plays })),
    countries: figures.countries.map(({ key, plays }) => ({ key, name: nameOf(key), plays })),
    quiet: figures.quiet && quietTexts(figures.quiet, { t, locale, zone }),
  };
}

/** Sentences about the time before an hour without plays. */
function quietTexts({ lastPlay, week }: Quiet, { t, locale, zone }: { t: Translate } & Omit<Reader, 'language'>) {
  const shownZone = zone.replaceAll('_', ' ');
  const last = lastPlay && formatDate(lastPlay, locale, { dateStyle: 'long', timeStyle: 'short', timeZone: zone });
  const plays = week.flat().reduce((sum, count) => sum + count, 0);
  return [
    last ? t('live.last', { time: last, zone: shownZone }) : t('live.noneLately'),
    ...(plays < PATTERN_FROM ? [] : [t('week.text', { ...bestHour(week, locale), zone: shownZone })]),
  ];
}
