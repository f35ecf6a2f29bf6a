import { useEffect, useMemo, useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { FormStateProvider } from '~/app/components/form-context';
import { SectionTitle } from '~/app/components/section-title';
import { SubmitButton } from '~/app/components/submit-button';
import { PassageFields } from '~/app/features/studio/sound/passage-fields';
import { AudioField } from '~/app/features/studio/upload/audio-field';
import { usePromoUpload } from '~/app/features/studio/upload/use-upload';
import { formatClockTime } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
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
  const { startMs = '0:00', endMs = defaultEnd(episode) } = failure?.values ?? {};
  const [times, setTimes] = useState({ start: startMs, end: endMs });
  const { startMs: startErrors, endMs: endErrors } = failure?.fields ?? {};
  return (
    <Form method="post" className={classes.tools} aria-labelledby="cut-promo">
      <SectionTitle id="cut-promo">{t(episode.promo ? 'promo.cutAnother' : 'promo.cutOut')}</SectionTitle>
      <PassageFields
        {...{ episode, times }}
        onChange={setTimes}
        names={{ start: 'startMs', end: 'endMs' }}
        errors={{ start: startErrors?.[0], end: endErrors?.[0] }}
        longestMs={PROMO_LIMITS.longestMs}
        plays
      />
      <div>
        <SubmitButton intent="cut">{t('promo.cut')}</SubmitButton>
      </div>
    </Form>
  );
}

const defaultEnd = ({ durationSeconds }: EpisodeView) =>
  formatClockTime(Math.min(PROMO_LIMITS.longestMs, (durationSeconds ?? 0) * 1000));

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
