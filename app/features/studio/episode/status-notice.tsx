import { Loader } from '@mantine/core';
import { Alert } from '~/app/components/alert';
import { AlertIcon } from '~/app/components/line-icons';
import { TakeDownNotice } from '~/app/components/take-down-notice';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeStatus } from '~/db/values/episodes';
import type { TakeDown } from '~/db/values/take-downs';
import type { ErrorParams } from '~/server/base/errors';
import { loudnessProblem } from '~/server/domain/episodes/rules';
import classes from './episode.module.css';

/** The fields of an episode that its notice needs. */
export type NoticedEpisode = {
  status: EpisodeStatus;
  fileName: string | null;
  failureReason: string | null;
  failureParams: ErrorParams;
  warnings: string[];
  loudness: number | null;
  takeDown: TakeDown | null;
  replacement: { fileName: string; isChecking: boolean } | null;
  fetchedFrom: string | null;
};

/**
 * Tells the owner why an episode's audio failed or is on hold, how other players treat it, and the state of a
 * replacement.
 */
export function StatusNotice({ episode }: { episode: NoticedEpisode }) {
  return (
    <>
      {episode.takeDown && <TakeDownNotice of="episode" takeDown={episode.takeDown} />}
      <AudioNotice episode={episode} />
    </>
  );
}

function AudioNotice({ episode }: { episode: NoticedEpisode }) {
  const { t } = useTranslation('episode');
  const { t: tError } = useTranslation('errors');
  const { status, fileName, failureReason, failureParams, warnings, loudness, replacement, fetchedFrom } = episode;
  const reason = failureReason && tError(failureReason, failureParams);
  if (status === 'failed') {
    return (
      <AudioFailure title={t('failed.title', { file: fileName ?? '' })} help={t('failed.help')}>
        {reason ?? tError('common.something_went_wrong')}
      </AudioFailure>
    );
  }
  const isRefused = replacement !== null && !replacement.isChecking && reason !== null;
  const problem = loudnessProblem(loudness);
  return (
    <>
      {isRefused && (
        <AudioFailure title={t('replacement.failed', { file: replacement.fileName })} help={t('replacement.help')}>
          {reason}
        </AudioFailure>
      )}
      {replacement?.isChecking && (
        <p className={classes.standing}>
          <Loader size={16} aria-hidden="true" />{' '}
          {t(fetchedFrom ? 'replacement.fetching' : 'replacement.checking', {
            file: replacement.fileName,
            host: fetchedFrom ?? '',
          })}
        </p>
      )}
      {reason && !isRefused && (
        <p className={classes.note}>
          {reason} {fetchedFrom && t('fetching.again')}
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className={classes.note}>
          {tError(warning)}
        </p>
      ))}
      {problem && <p className={classes.note}>{t(problem === 'quiet' ? 'detail.quiet' : 'detail.loud')}</p>}
    </>
  );
}

function AudioFailure({ title, help, children }: { title: string; help: string; children: string }) {
  return (
    <Alert color="red" variant="light" icon={<AlertIcon />} title={title} mt={12}>
      <p className={classes.plain}>{children}</p>
      <p className={classes.plain}>{help}</p>
    </Alert>
  );
}
