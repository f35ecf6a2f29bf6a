import { Loader } from '@mantine/core';
import head from '~/app/components/page-header.module.css';
import classes from '~/app/components/part-head.module.css';
import { formatClock } from '~/app/lib/clock';
import { formatDateTime } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useCreatorTimeZone, useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { numberFormat } from '~/server/base/formats';
import { shownStatus } from '~/server/domain/episodes/rules';
import type { EpisodeView } from '~/server/domain/episodes/views';
import own from './episode.module.css';
import { EpisodeActions } from './episode-actions';
import { StatusBadge } from './status-badge';
import { StatusNotice } from './status-notice';
import { useEpisodePolling } from './use-polling';
import { useStatusActions } from './use-status-actions';

/** All plays of the episode. */
type EpisodeFigures = { listens: number; downloads: number };
type Props = { episode: EpisodeView; pageUrl: string; figures: EpisodeFigures };

/** The episode's cover, name, state and numbers above its tabs, and what can be done with it. */
export function EpisodeHead({ episode: loaded, pageUrl, figures }: Props) {
  const paths = usePaths();
  useEpisodePolling(loaded);
  const { status, publish, unpublish } = useStatusActions(loaded);
  const episode = { ...loaded, status };
  const show = { id: episode.productId, kind: episode.kind };
  return (
    <>
      <header className={classes.head}>
        <img src={episode.cover.webp[320]} alt="" width={96} height={96} />
        <div className={classes.words}>
          <p className={head.back}>
            <Link to={paths.product(show)}>{episode.product.name}</Link>
          </p>
          <h1 dir="auto">{episode.name}</h1>
          <Facts episode={episode} />
        </div>
        <EpisodeActions episode={episode} pageUrl={pageUrl} onPublish={publish} onUnpublish={unpublish} />
      </header>
      <div className={own.notices} aria-live="polite">
        <StatusHelp episode={episode} />
        <StatusNotice episode={episode} />
      </div>
      <Figures episode={episode} figures={figures} />
    </>
  );
}

function Facts({ episode }: { episode: EpisodeView }) {
  const { t } = useTranslation('episode');
  const { type, season, number } = episode;
  return (
    <ul className={classes.facts}>
      <li>
        <StatusBadge episode={episode} />
      </li>
      <li>{t(`type.${type}`)}</li>
      {season !== null && (
        <li>
          {t('form.season')} {season}
        </li>
      )}
      {number !== null && (
        <li>
          {t('form.number')} {number}
        </li>
      )}
    </ul>
  );
}

/** Explains the episode's status. */
function StatusHelp({ episode }: { episode: EpisodeView }) {
  const { t, locale } = useTranslation('episode');
  const { verification } = useStudio();
  const timeZone = useCreatorTimeZone();
  const { id, status, releaseDate, formerReleaseDate, fetchedFrom } = episode;
  const waits = verification?.waiting.some(({ episodeId }) => episodeId === id);
  const when = releaseDate ? formatDateTime(releaseDate, locale, timeZone, true) : '';
  const shown = status === 'in_progress' && fetchedFrom ? 'fetching' : shownStatus(episode);
  if (status === 'failed') return null;
  return (
    <p className={own.standing}>
      {status === 'in_progress' && <Loader size={16} aria-hidden="true" />}{' '}
      {waits
        ? t('statusHelp.waits')
        : t(`statusHelp.${formerReleaseDate ? 'unpublished' : shown}`, { when, host: fetchedFrom ?? '' })}
    </p>
  );
}

/** Plays on the page, downloads by apps, and the length. An episode that was never published has no plays. */
function Figures({ episode, figures }: { episode: EpisodeView; figures: EpisodeFigures }) {
  const { t, locale } = useTranslation('episode');
  const { t: terms } = useTranslation('statistics');
  const number = numberFormat(locale);
  const { durationSeconds, status, formerReleaseDate } = episode;
  const wasPublic = status === 'published' || formerReleaseDate !== null;
  if (durationSeconds === null || !wasPublic) return null;
  const all = [
    { name: terms('total.listens'), value: number.format(figures.listens) },
    { name: terms('total.downloads'), value: number.format(figures.downloads) },
    { name: t('list.length'), value: formatClock(Math.round(durationSeconds)) },
  ];
  return (
    <dl className={classes.figures}>
      {all.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
