import { isoDuration } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { dateFormat, localeOf } from '~/server/base/formats';
import type { ListedEpisode } from './page-data.server';
import { roundedLength } from './rounded-length';

/** Shared pages are the same in Dublin and in Boston: with the day first and the month in words, both read one date. */
const DAY = { dateStyle: 'medium', timeZone: 'UTC' } as const;

type Facts = Pick<
  ListedEpisode,
  'type' | 'releaseDate' | 'durationSeconds' | 'season' | 'number' | 'availableAt' | 'isPart'
>;

/**
 * An episode's number, date and length. The date is in UTC, so that the server and the browser render the same text.
 */
export function EpisodeFacts({ episode }: { episode: Facts }) {
  const { t, language } = useTranslation('public');
  const { type, releaseDate, durationSeconds, season, number, availableAt, isPart } = episode;
  const day = dateFormat(localeOf(language), DAY);
  const length = durationSeconds === null ? null : roundedLength(durationSeconds);
  return (
    <p className="facts">
      {type === 'trailer' && <span className="badge">{t('trailer')}</span>}
      {number !== null && (
        <span>
          {season === null ? t(isPart ? 'part' : 'number', { number }) : t('seasonNumber', { season, number })}
        </span>
      )}
      {releaseDate && <time dateTime={releaseDate}>{day.format(new Date(releaseDate))}</time>}
      {length && <time dateTime={isoDuration(durationSeconds ?? 0)}>{t(length.unit, { count: length.count })}</time>}
      {availableAt && <strong>{t('available', { date: day.format(new Date(availableAt)) })}</strong>}
    </p>
  );
}
