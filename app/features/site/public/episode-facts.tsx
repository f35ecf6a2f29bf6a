import { isoDuration } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { LANGUAGES, type Language } from '~/locales/languages';
import type { ListedEpisode } from './page-data.server';

/** Shared pages are the same in Dublin and in Boston: with the day first and the month in words, both read one date. */
const LOCALES: Record<Language, string> = { en: 'en-GB', es: 'es' };

/** Created once, because creating a formatter takes longer than rendering a row. */
const dateFormats = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeZone: 'UTC' }),
  ]),
) as Record<Language, Intl.DateTimeFormat>;

type Facts = Pick<ListedEpisode, 'type' | 'releaseDate' | 'durationSeconds' | 'season' | 'number' | 'availableAt'>;

/**
 * An episode's number, date and length. The date is in UTC, so that the server and the browser render the same text.
 */
export function EpisodeFacts({ episode }: { episode: Facts }) {
  const { t, language } = useTranslation('public');
  const { type, releaseDate, durationSeconds, season, number, availableAt } = episode;
  return (
    <p className="facts">
      {type === 'trailer' && <span className="badge">{t('trailer')}</span>}
      {number !== null && (
        <span>{season === null ? t('number', { number }) : t('seasonNumber', { season, number })}</span>
      )}
      {releaseDate && <time dateTime={releaseDate}>{dateFormats[language].format(new Date(releaseDate))}</time>}
      {durationSeconds !== null && (
        <time dateTime={isoDuration(durationSeconds)}>
          {t('minutes', { count: Math.max(1, Math.round(durationSeconds / 60)) })}
        </time>
      )}
      {availableAt && <strong>{t('available', { date: dateFormats[language].format(new Date(availableAt)) })}</strong>}
    </p>
  );
}
