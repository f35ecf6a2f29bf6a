import { NativeSelect, Textarea } from '@mantine/core';
import { FileDrop } from '~/app/components/file-drop';
import { SectionTitle } from '~/app/components/section-title';
import { SubmitButton } from '~/app/components/submit-button';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatFileSize } from '~/app/lib/formats';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import type { TimingState } from '~/server/domain/transcription/timing-state';
import { TRANSCRIPT_LIMITS } from '~/server/limits/transcripts';
import classes from './transcript.module.css';

type Props = {
  state: TimingState;
  languages: { value: string; label: string }[];
  /** `untimed`: its words can be timed as they are. */
  transcript: 'none' | 'untimed' | 'timed';
  failure?: FormFailure;
};

/** Times for a text that is pasted or in a file, or for the words of the stored transcript. */
export function TimeAText({ state, languages, transcript, failure }: Props) {
  const { t } = useTranslation('episode');
  const { timing, hasSound, isExact } = state;
  const isRunning = timing?.status === 'running';
  useRefresh(isRunning);
  if (isRunning) return <Progress percent={timing.percent} />;
  return (
    <section id="timing">
      <SectionTitle>{t('timing.title')}</SectionTitle>
      <p className={classes.hint}>{t(isExact ? 'timing.exact' : 'timing.rough')}</p>
      <Outcome state={state} />
      {hasSound && (
        <>
          {transcript === 'untimed' && (
            <Form method="post" className={classes.acts}>
              <input type="hidden" name="language" value={state.language} />
              <SubmitButton intent="time-stored" quiet>
                {t('timing.stored')}
              </SubmitButton>
            </Form>
          )}
          <details open={transcript === 'none' || failure !== undefined}>
            <summary>{t('timing.paste')}</summary>
            <ScriptForm language={state.language} languages={languages} failure={failure} />
          </details>
        </>
      )}
    </section>
  );
}

/** How the last attempt ended. */
function Outcome({ state: { timing, result, isExact, hasSound } }: { state: TimingState }) {
  const { t } = useTranslation('episode');
  const { t: tError } = useTranslation('errors');
  if (!hasSound) return <p>{t('timing.noSound')}</p>;
  if (timing?.reason) return <p role="alert">{tError(timing.reason)}</p>;
  if (!result) return null;
  const { sentences, unsure } = result;
  if (unsure === 0) return <p>{t('timing.sure')}</p>;
  const isRough = unsure === sentences && !isExact;
  return <p>{isRough ? t('timing.allRough') : t('timing.unsure', { count: unsure, total: sentences })}</p>;
}

function Progress({ percent }: { percent: number }) {
  const { t } = useTranslation('episode');
  return (
    <section>
      <SectionTitle>{t('timing.title')}</SectionTitle>
      <p role="status">{t('timing.running', { percent })}</p>
      <progress value={percent} max={100} aria-label={t('timing.title')} />
      <noscript>
        <Link to="" reloadDocument>
          {t('timing.refresh')}
        </Link>
      </noscript>
    </section>
  );
}

const SCRIPTS = '.txt,.md,.markdown,.vtt,.srt,.json,text/plain,text/markdown,text/vtt,application/x-subrip';

function ScriptForm({ language, languages, failure }: Pick<Props, 'languages' | 'failure'> & { language: string }) {
  const { t, locale } = useTranslation('episode');
  const message = failure && (failure.fields.content?.[0] ?? failure.fields.text?.[0] ?? failure.message);
  return (
    <Form method="post" encType="multipart/form-data" className={classes.upload}>
      <Textarea
        name="script"
        label={t('timing.text')}
        description={t('timing.textHelp')}
        defaultValue={failure?.values.script ?? ''}
        error={message}
        rows={10}
        dir="auto"
        w="100%"
      />
      <label htmlFor="script-file">{t('timing.file')}</label>
      <p className={classes.hint} id="script-file-help">
        {t('timing.fileHelp', { size: formatFileSize(TRANSCRIPT_LIMITS.maxBytes, locale) })}
      </p>
      <FileDrop id="script-file" name="file" accept={SCRIPTS} describedBy="script-file-help" />
      <NativeSelect
        name="language"
        label={t('timing.language')}
        data={languages}
        defaultValue={failure?.values.language ?? language}
      />
      <SubmitButton intent="time" quiet>
        {t('timing.submit')}
      </SubmitButton>
    </Form>
  );
}
