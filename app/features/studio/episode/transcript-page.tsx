import { Textarea } from '@mantine/core';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { FileDrop } from '~/app/components/file-drop';
import { ScrollRegion } from '~/app/components/scroll-region';
import { SectionTitle } from '~/app/components/section-title';
import { SubmitButton } from '~/app/components/submit-button';
import { formatClock } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime, formatFileSize } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Form, Link, useNavigation } from '~/app/lib/router';
import { useCreatorTimeZone, useIsEditor } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeType } from '~/db/values/episodes';
import type { TranscriptView } from '~/server/domain/episodes/transcripts';
import type { KindName } from '~/server/domain/products/kinds';
import type { TimingState } from '~/server/domain/transcription/timing-state';
import { TRANSCRIPT_LIMITS } from '~/server/limits/transcripts';
import { TimeAText } from './time-a-text';
import classes from './transcript.module.css';

type Episode = { id: number; productId: number; kind: KindName; type: EpisodeType; transcriptShowAll: boolean };
type Shown = { episode: Episode; transcript: TranscriptView | null };
type Props = Shown &
  Pick<ComponentProps<typeof TimeAText>, 'languages' | 'failure'> & {
    timing: TimingState;
    /** The first way to a transcript, before those that this page has. */
    firstWay: ReactNode;
  };

/** Uploads, shows, edits, replaces and deletes the transcript of an episode. */
export function TranscriptPage({ episode, transcript, timing, languages, firstWay, failure }: Props) {
  const { t } = useTranslation('episode');
  const isEditor = useIsEditor();
  const isTiming = failure?.values.intent?.startsWith('time') ?? false;
  return (
    <div className={classes.page}>
      {transcript ? <Existing episode={episode} transcript={transcript} /> : <p>{t('transcript.none')}</p>}
      {firstWay}
      {isEditor && (
        <TimeAText
          // a new transcript empties the field
          key={`timing ${transcript?.updatedAt.getTime()}`}
          state={timing}
          languages={languages}
          transcript={!transcript ? 'none' : transcript.hasTimes ? 'timed' : 'untimed'}
          failure={isTiming ? failure : undefined}
        />
      )}
      {isEditor && !transcript && (
        <UploadForm isNew isQuiet={firstWay !== null} failure={isTiming ? undefined : failure} />
      )}
      {isEditor && transcript && (
        <details className={classes.more} open={(failure !== undefined && !isTiming) || undefined}>
          <summary>{t('transcript.replace')}</summary>
          {/* a new transcript empties the field */}
          <UploadForm key={transcript.updatedAt.getTime()} isQuiet failure={isTiming ? undefined : failure} />
        </details>
      )}
      {isEditor && transcript && <DeleteForm />}
    </div>
  );
}

function Existing({ episode, transcript }: { episode: Episode; transcript: TranscriptView }) {
  const { t, locale } = useTranslation('episode');
  const timeZone = useCreatorTimeZone();
  const isEditor = useIsEditor();
  const paths = usePaths();
  const { fileName, cues, hasTimes, unsure, speakers, updatedAt, downloads, excerpt } = transcript;
  const readers = episode.type !== 'private' ? 'open' : episode.transcriptShowAll ? 'all' : 'some';
  return (
    <section>
      {isEditor && (
        <div className={`${classes.acts} ${classes.next}`}>
          <Button component={Link} to="?edit=1">
            {t('transcript.edit')}
          </Button>
          {unsure > 0 && <span>{t('transcript.unsure', { count: unsure })}</span>}
        </div>
      )}
      <p>
        {t('transcript.file', {
          file: fileName,
          when: formatDateTime(updatedAt, locale, timeZone, true),
          count: cues,
        })}
      </p>
      {!hasTimes && <p className={classes.hint}>{t('transcript.noTimes')}</p>}
      {speakers.length > 0 && <p>{t('transcript.speakers', { names: speakers.join(', ') })}</p>}
      <p>
        {t(`transcript.readers.${readers}`)}{' '}
        {isEditor && readers !== 'open' && <Link to={paths.editEpisode(episode)}>{t('transcript.change')}</Link>}
      </p>
      <p className={classes.downloads}>
        {t('transcript.download')}{' '}
        {downloads.map(({ format, url }) => (
          <a key={format} href={new URL(url).pathname} download>
            {t(`transcript.format.${format}`)}
          </a>
        ))}
      </p>
      <SectionTitle>{t('transcript.excerpt')}</SectionTitle>
      <ScrollRegion className={classes.scroll} label={t('transcript.excerpt')}>
        <ol className={classes.cues}>
          {excerpt.map(({ startMs, speaker, text }, index) => (
            <li key={index} dir="auto">
              {startMs !== null && <span className={classes.time}>{formatClock(startMs / 1000)}</span>}
              <span>
                {speaker && <strong>{speaker}: </strong>}
                {text}
              </span>
            </li>
          ))}
        </ol>
      </ScrollRegion>
      {cues > excerpt.length && <p className={classes.hint}>{t('transcript.more', { shown: excerpt.length })}</p>}
    </section>
  );
}

/**
 * The words of all passages, for editing without JavaScript. Its page has nothing else, so that nobody loses a text by
 * another form.
 */
export function TextForm({ transcript, failure }: { transcript: TranscriptView; failure?: FormFailure }) {
  const { t } = useTranslation('episode');
  if (transcript.text === null) return <p>{t('transcript.tooLongToEdit')}</p>;
  const message = failure && (failure.fields.content?.[0] ?? failure.message);
  return (
    <Form method="post" action="?edit=1" className={classes.page}>
      <input type="hidden" name="editOf" value={new Date(transcript.updatedAt).toISOString()} />
      <input type="hidden" name="fileName" value={transcript.fileName} />
      <Textarea
        name="text"
        label={t('transcript.excerpt')}
        description={t(transcript.hasTimes ? 'transcript.editHelpTimes' : 'transcript.editHelp')}
        defaultValue={failure?.values.text ?? transcript.text}
        error={message}
        rows={22}
        dir="auto"
        required
      />
      <div className={classes.acts}>
        <SubmitButton intent="edit">{t('transcript.editSubmit')}</SubmitButton>
        <Link to="?">{t('transcript.editCancel')}</Link>
      </div>
    </Form>
  );
}

type UploadProps = { isNew?: boolean; isQuiet: boolean; failure?: FormFailure };

function UploadForm({ isNew = false, isQuiet, failure }: UploadProps) {
  const { t, locale } = useTranslation('episode');
  const { state } = useNavigation();
  const alert = useRef<HTMLDivElement>(null);
  const message = failure && (failure.fields.content?.[0] ?? failure.fields.fileName?.[0] ?? failure.message);
  useEffect(() => {
    if (failure) alert.current?.focus();
  }, [failure]);
  return (
    <Form method="post" encType="multipart/form-data" className={classes.upload} id="upload">
      <label htmlFor="file">{t('transcript.choose')}</label>
      <p className={classes.hint}>
        {t('transcript.help', { size: formatFileSize(TRANSCRIPT_LIMITS.maxBytes, locale) })}
      </p>
      {message && (
        <Alert color="red" variant="light" role="alert" id="file-error" ref={alert} tabIndex={-1}>
          {message}
        </Alert>
      )}
      <FileDrop
        id="file"
        name="file"
        accept=".vtt,.srt,.json,.txt,text/vtt,text/plain,application/json,application/x-subrip"
        required
        describedBy={message ? 'file-error' : undefined}
      />
      <Button
        mt={16}
        type="submit"
        name="intent"
        value="upload"
        loading={state === 'submitting'}
        {...(isQuiet && { variant: 'default' })}
      >
        {t(isNew ? 'transcript.upload' : 'transcript.replaceSubmit')}
      </Button>
    </Form>
  );
}

/** Users can upload the file again, so a second click confirms enough. */
function DeleteForm() {
  const { t } = useTranslation('episode');
  return (
    <details className={classes.more}>
      <summary>{t('transcript.delete')}</summary>
      <Form method="post">
        <p>{t('transcript.deleteWarning')}</p>
        <Button type="submit" name="intent" value="delete" color="red" variant="outline">
          {t('transcript.deleteSubmit')}
        </Button>
      </Form>
    </details>
  );
}
