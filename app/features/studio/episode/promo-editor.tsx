import { TextInput } from '@mantine/core';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { FormStateProvider } from '~/app/components/form-context';
import { SectionTitle } from '~/app/components/section-title';
import { SoundPlayer } from '~/app/components/sound-player';
import { SubmitButton } from '~/app/components/submit-button';
import { AudioField } from '~/app/features/studio/upload/audio-field';
import { usePromoUpload } from '~/app/features/studio/upload/use-upload';
import { formatClockTime } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { parseClock } from '~/server/base/time';
import type { EpisodeView } from '~/server/domain/episodes/views';
import { PROMO_LIMITS } from '~/server/limits/media';
import { Promo } from './promo-list';
import classes from './sound-tools.module.css';

type Props = { episode: EpisodeView; failure?: FormFailure };

/** The episode's promo, and two ways to make one: select a passage of the episode, or upload a file. */
export function PromoEditor({ episode, failure }: Props) {
  const { t } = useTranslation('episode');
  return (
    <div className={classes.ways}>
      {failure?.message && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      {episode.promo && <CurrentPromo promo={episode.promo} />}
      {!episode.url && !episode.promo && <p>{t('promo.needsAudio')}</p>}
      {episode.url && (
        <>
          <CutForm episode={episode} failure={failure} />
          <UploadForm episode={episode} failure={failure} />
          <noscript>
            <p>{t('promo.needsScript')}</p>
          </noscript>
        </>
      )}
    </div>
  );
}

function CurrentPromo({ promo }: { promo: NonNullable<EpisodeView['promo']> }) {
  const { t } = useTranslation('episode');
  return (
    <section aria-labelledby="current-promo">
      <SectionTitle id="current-promo">{t('promo.current')}</SectionTitle>
      <Promo promo={promo} />
      <Form method="post">
        <Button type="submit" name="intent" value="delete" variant="outline" color="red">
          {t('promo.delete')}
        </Button>
      </Form>
    </section>
  );
}

function CutForm({ episode, failure }: Props) {
  const { t } = useTranslation('episode');
  const audio = useRef<HTMLAudioElement>(null);
  const { startMs = '0:00', endMs = defaultEnd(episode) } = failure?.values ?? {};
  const [times, setTimes] = useState({ startMs, endMs });
  const selection = { startMs: parseClock(times.startMs) || 0, endMs: parseClock(times.endMs) || 0 };
  const preview = usePreview(audio, selection);
  const field = (name: 'startMs' | 'endMs') => ({
    name,
    value: times[name],
    error: failure?.fields[name]?.[0],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTimes({ ...times, [name]: event.currentTarget.value }),
  });
  const here = (name: 'startMs' | 'endMs') => () =>
    setTimes({ ...times, [name]: formatClockTime((audio.current?.currentTime ?? 0) * 1000) });
  return (
    <Form method="post" className={classes.tools} aria-labelledby="cut-promo">
      <SectionTitle id="cut-promo">{t(episode.promo ? 'promo.cutAnother' : 'promo.cutOut')}</SectionTitle>
      <SoundPlayer
        src={new URL(episode.url ?? '').pathname}
        durationSeconds={episode.durationSeconds}
        waveform={episode.waveform}
        selection={selection}
        audio={audio}
      />
      <div className={classes.times}>
        <TextInput {...field('startMs')} label={t('promo.start')} className={classes.time} />
        <TextInput {...field('endMs')} label={t('promo.end')} className={classes.time} />
        <div className={classes.acts} data-needs-script>
          <Button type="button" variant="default" onClick={here('startMs')}>
            {t('promo.startHere')}
          </Button>
          <Button type="button" variant="default" onClick={here('endMs')}>
            {t('promo.endHere')}
          </Button>
        </div>
      </div>
      <div className={classes.acts}>
        <SubmitButton intent="cut">{t('promo.cut')}</SubmitButton>
        <Button type="button" variant="default" onClick={preview} data-needs-script>
          {t('promo.preview')}
        </Button>
      </div>
    </Form>
  );
}

const defaultEnd = ({ durationSeconds }: EpisodeView) =>
  formatClockTime(Math.min(PROMO_LIMITS.longestMs, (durationSeconds ?? 0) * 1000));

/** Plays the selected passage and stops at its end. */
function usePreview(audio: RefObject<HTMLAudioElement>, selection: { startMs: number; endMs: number }) {
  const [until, setUntil] = useState<number | null>(null);
  useEffect(() => {
    const element = audio.current;
    if (!element || until === null) return;
    function stopAtEnd() {
      if (!element || until === null || element.currentTime < until) return;
      element.pause();
      setUntil(null);
    }
    element.addEventListener('timeupdate', stopAtEnd);
    return () => element.removeEventListener('timeupdate', stopAtEnd);
  }, [audio, until]);
  return () => {
    if (!audio.current) return;
    audio.current.currentTime = selection.startMs / 1000;
    setUntil(selection.endMs / 1000);
    void audio.current.play();
  };
}

function UploadForm({ episode, failure }: Props) {
  const { t } = useTranslation('episode');
  const upload = usePromoUpload(episode.id);
  const [error, setError] = useState(failure?.fields.promoKey?.[0]);
  const form = useMemo(() => {
    const errors: Record<string, string> = error ? { promoKey: error } : {};
    const ignore = () => {};
    return {
      values: {},
      errors,
      setValue(_: string, value: string) {
        if (value) setError(undefined);
      },
      setDefault: ignore,
      setError: (_: string, message: string) => setError(message),
    };
  }, [error]);
  useEffect(() => void setError(failure?.fields.promoKey?.[0]), [failure]);
  return (
    <FormStateProvider value={form}>
      <Form method="post" className={classes.tools} onSubmit={upload.forget} data-needs-script>
        <AudioField name="promoKey" upload={upload} label={t('promo.file')} help="" limits={t('promo.fileHelp')} />
        {upload.transfer.phase !== 'idle' && (
          <div>
            <SubmitButton intent="upload" disabled={upload.transfer.phase !== 'done'} quiet>
              {t('promo.use')}
            </SubmitButton>
          </div>
        )}
      </Form>
    </FormStateProvider>
  );
}
