import { isoDuration } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { LANGUAGES, type Language } from '~/locales/languages';
import type { ListedEpisode } from './page-data.server';

/** Made once: to make one takes longer than all else in a row of the list. */
const days = Object.fromEntries(
  LANGUAGES.map((language) => [language, new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })]),
) as Record<Language, Intl.DateTimeFormat>;

type Facts = Pick<ListedEpisode, 'type' | 'releaseDate' | 'durationSeconds' | 'season' | 'number'>;

/** Which one it is, when it came out and how long it takes. The day is UTC's, the same for the server and the browser. */
export function EpisodeFacts({ episode }: { episode: Facts }) {
  const { t, language } = useTranslation('public');
  const { type, releaseDate, durationSeconds, season, number } = episode;
  return (
    <p className="facts">
      {type === 'trailer' && <span className="badge">{t('trailer')}</span>}
      {number !== null && (
        <span>{season === null ? t('number', { number }) : t('seasonNumber', { season, number })}</span>
      )}
      {releaseDate && <time dateTime={releaseDate}>{days[language].format(new Date(releaseDate))}</time>}
      {durationSeconds !== null && (
        <time dateTime={isoDuration(durationSeconds)}>
          {t('minutes', { count: Math.max(1, Math.round(durationSeconds / 60)) })}
        </time>
      )}
    </p>
  );
}
