import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { countryName, formatDate, formatNumber } from '~/server/base/formats';
import type { LiveFigures } from '~/server/domain/statistics/live-figures';

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
  };
}
