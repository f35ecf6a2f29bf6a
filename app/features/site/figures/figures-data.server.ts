import type { Door } from '~/app/lib/doors.server';
import { startText } from '~/app/lib/start-text';
import { translator } from '~/app/lib/texts.server';
import { countryName, formatDate } from '~/server/base/formats';
import type { Caller } from '~/server/trpc/caller';

export type SponsorAnswer = Awaited<ReturnType<Caller['statistics']['sponsorPage']>>;
type Named = { key: string; name: string; plays: number };
export type ShownFigures = ReturnType<typeof toFigures>;

const at = (day: string) => new Date(`${day}T00:00:00Z`);

/** The figures with names and numbers as the reader writes them. */
export function toFigures(page: SponsorAnswer, context: Door['context']) {
  const { language, locale, clientNames } = context;
  const t = translator(language, 'statistics');
  const named = (slices: SponsorAnswer['apps'], nameOf: (key: string) => string): Named[] =>
    slices.map(({ key, plays }) => ({ key, plays, name: nameIn(t, key) ?? nameOf(key) }));
  const points = (values: { day: string; value: number }[]) =>
    values.map(({ day, value }) => ({
      label: formatDate(at(day), locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
      long: formatDate(at(day), locale),
      value,
    }));
  const downloads = points(page.downloads.map(({ day, downloads: value }) => ({ day, value })));
  const listeners = points(page.listeners.map(({ day, listeners: value }) => ({ day, value })));
  const reader = { t, locale, now: page.asOf };
  return {
    ...{ name: page.show.name, creator: page.show.creator, cover: page.show.cover.webp[320] },
    expires: formatDate(page.expiresAt, locale, { dateStyle: 'long', timeZone: page.period.zone }),
    days: { from: formatDate(at(page.period.from), locale), to: formatDate(at(page.period.to), locale) },
    zone: page.period.zone.replaceAll('_', ' '),
    since: page.since && formatDate(at(page.since), locale),
    ...{ downloads, listeners },
    totals: {
      downloads: sumOf(downloads),
      last30: sumOf(downloads.slice(-30)),
      listenersPerDay: Math.round(sumOf(listeners.slice(-30)) / 30),
    },
    episodes: page.episodes.map((episode) => ({
      name: episode.name,
      released: formatDate(episode.releasedAt, locale, { dateStyle: 'medium', timeZone: page.period.zone }),
      first7d: startText(episode, 'first7d', reader),
      first30d: startText(episode, 'first30d', reader),
    })),
    countries: named(page.countries, (key) => countryName(key, language)),
    apps: named(page.apps, clientNames.app),
    devices: named(page.devices, (key) => t(`device.${key}`)),
  };
}

const sumOf = (values: { value: number }[]): number => values.reduce((sum, { value }) => sum + value, 0);

function nameIn(t: (key: string) => string, key: string): string | null {
  if (key === 'other') return t('others');
  return key === 'unknown' || key === 'ZZ' ? t('unknown') : null;
}
