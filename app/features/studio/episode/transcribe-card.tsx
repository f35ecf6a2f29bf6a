import { Checkbox, NativeSelect } from '@mantine/core';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { SectionTitle } from '~/app/components/section-title';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Form, Link, useNavigation } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import { formatDate } from '~/server/base/formats';
import type { KindName } from '~/server/domain/products/kinds';
import type { TranscriptionState } from '~/server/domain/transcription/transcription-state';
import classes from './transcribe.module.css';

type Episode = { id: number; productId: number; kind: KindName };
type Props = {
  episode: Episode;
  state: TranscriptionState;
  languages: { value: string; label: string }[];
  failure?: FormFailure;
  /** Another action is the main one of the page. */
  isQuiet?: boolean;
};

/** Transcription by an engine: credits, progress, and the result or the reason for a failure. */
export function TranscribeCard(props: Props) {
  const { t } = useTranslation('episode');
  usePlanLimitOf(props.failure);
  const { failure } = props;
  return (
    <section className={classes.card}>
      <SectionTitle>{t('transcribe.title')}</SectionTitle>
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure.message ?? Object.values(failure.fields).flat().join(' ')}
        </Alert>
      )}
      <Content {...props} />
    </section>
  );
}

function Content(props: Props) {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  const { state, episode } = props;
  if (state.run?.status === 'running') return <Progress {...props} />;
  if (state.run?.status === 'waiting') return <Decision episode={episode} />;
  if (!state.isConfigured) return <OtherWays episode={episode} />;
  if (!state.isInPlan)
    return (
      <p>
        {t('transcribe.notInPlan')} <Link to={paths.plans}>{t('transcribe.toPlans')}</Link>
      </p>
    );
  return <StartForm {...props} />;
}

/** What works without an engine. The browser itself opens the folded form to which a link leads. */
function OtherWays({ episode }: Pick<Props, 'episode'>) {
  const { t } = useTranslation('episode');
  const tab = usePaths().transcript(episode);
  return (
    <>
      <p>{t('transcribe.notConfigured')}</p>
      <ul className={classes.ways}>
        <li>
          <Link to={`${tab}#upload`} reloadDocument>
            {t('transcribe.uploadOne')}
          </Link>
          <span className={classes.quiet}>{t('transcribe.uploadHelp')}</span>
        </li>
        <li>
          <Link to={`${tab}#timing`} reloadDocument>
            {t('transcribe.timeText')}
          </Link>
          <span className={classes.quiet}>{t('transcribe.timeTextHelp')}</span>
        </li>
      </ul>
    </>
  );
}

function Progress({ state, episode }: Props) {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  useRefresh(true);
  const { pieces = 0, heard = 0 } = state.run ?? {};
  return (
    <>
      <p role="status">{pieces === 0 ? t('transcribe.waits') : t('transcribe.running', { heard, count: pieces })}</p>
      <progress
        className={classes.progress}
        max={Math.max(1, pieces)}
        value={heard}
        aria-label={t('transcribe.title')}
      />
      <p className={classes.quiet}>
        {t('transcribe.leave')} <Link to={paths.transcription(episode)}>{t('transcribe.refresh')}</Link>
      </p>
    </>
  );
}

function Decision({ episode }: Pick<Props, 'episode'>) {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  return (
    <Form method="post" action={paths.transcription(episode)}>
      <p>{t('transcribe.decide')}</p>
      <div className={classes.acts}>
        <Button type="submit" name="intent" value="take">
          {t('transcribe.take')}
        </Button>
        <Button type="submit" name="intent" value="keep" variant="default">
          {t('transcribe.keep')}
        </Button>
      </div>
    </Form>
  );
}

function StartForm({ state, episode, languages, failure, isQuiet }: Props) {
  const { t, locale } = useTranslation('episode');
  const { t: error } = useTranslation('errors');
  const paths = usePaths();
  const isEditor = useIsEditor();
  const { state: navigation } = useNavigation();
  const { credits, neededMinutes, obstacle, hasTranscript, run } = state;
  const when = formatDate(credits.renewsAt, locale, { dateStyle: 'long', timeZone: 'UTC' });
  const isEnough = neededMinutes !== null && neededMinutes <= credits.left;
  return (
    <Form method="post" action={paths.transcription(episode)} className={classes.form}>
      {run?.reason && (
        <Alert color="red" variant="light">
          {t(run.status === 'failed' ? 'transcribe.failed' : 'transcribe.cancelled')} {error(run.reason)}
        </Alert>
      )}
      <p>{t('transcribe.about')}</p>
      {isEditor && (
        <p>
          <Link to={paths.settings({ id: episode.productId, kind: episode.kind }, 'glossary')}>
            {t('transcribe.glossary')}
          </Link>
        </p>
      )}
      <p className={classes.credits}>
        <strong>{t('transcribe.left', { count: credits.left })}</strong>{' '}
        <span>{t('transcribe.of', { of: credits.of, when })}</span>
      </p>
      {obstacle ? <p>{error(obstacle)}</p> : <p>{t('transcribe.needed', { count: neededMinutes ?? 0 })}</p>}
      {obstacle === null && !isEnough && (
        <p>
          {error('transcription.no_credits')} <Link to={paths.plans}>{t('transcribe.toPlans')}</Link>
        </p>
      )}
      {isEnough && (
        <>
          <NativeSelect
            name="language"
            label={t('transcribe.language')}
            defaultValue={failure?.values.language ?? ''}
            data={[{ value: '', label: t('transcribe.findLanguage') }, ...languages]}
          />
          {hasTranscript && <Checkbox name="replaces" value="true" required label={t('transcribe.replaces')} />}
          <Button
            type="submit"
            name="intent"
            value="start"
            loading={navigation === 'submitting'}
            {...(isQuiet && { variant: 'default' })}
          >
            {t(run?.reason ? 'transcribe.again' : 'transcribe.start')}
          </Button>
        </>
      )}
    </Form>
  );
}
