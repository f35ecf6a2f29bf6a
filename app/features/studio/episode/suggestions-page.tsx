import type { ReactNode } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { SectionTitle } from '~/app/components/section-title';
import { formatClock } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Form, Link, useNavigation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import type { Passage, Suggestions } from '~/db/values/suggestions';
import type { KindName } from '~/server/domain/products/kinds';
import type { SuggestedPart } from '~/server/domain/suggestions/schema';
import type { SuggestionsState } from '~/server/domain/suggestions/suggestions-state';
import classes from './suggestions.module.css';

type Episode = { id: number; productId: number; kind: KindName };
type Props = { episode: Episode; state: SuggestionsState; failure?: FormFailure };

/** What a language model suggests for an episode, each part with the passages it comes from and a button that takes it. */
export function SuggestionsPage({ episode, state, failure }: Props) {
  const { t } = useTranslation('suggestions');
  const { run } = state;
  const isRunning = run?.status === 'running';
  useRefresh(isRunning);
  return (
    <div className={classes.page}>
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure.message ?? Object.values(failure.fields).flat().join(' ')}
        </Alert>
      )}
      {isRunning ? <Progress episode={episode} /> : <Start episode={episode} state={state} />}
      {run?.result && (
        <>
          {!run.isCurrent && <p role="note">{t('outdated')}</p>}
          <Results result={run.result} runId={run.id} chapters={state.chapters} />
        </>
      )}
    </div>
  );
}

function Progress({ episode }: Pick<Props, 'episode'>) {
  const { t } = useTranslation('suggestions');
  const paths = usePaths();
  return (
    <section>
      <p role="status">{t('running')}</p>
      <p className={classes.quiet}>
        {t('leave')} <Link to={paths.suggestions(episode)}>{t('refresh')}</Link>
      </p>
    </section>
  );
}

function Start({ episode, state: { hasTranscript, left, run } }: Pick<Props, 'episode' | 'state'>) {
  const { t } = useTranslation('suggestions');
  const { t: error } = useTranslation('errors');
  const paths = usePaths();
  const { state } = useNavigation();
  if (!hasTranscript)
    return (
      <p>
        {t('needsTranscript')} <Link to={paths.transcript(episode)}>{t('toTranscript')}</Link>
      </p>
    );
  return (
    <Form method="post">
      {run?.reason && (
        <Alert color="red" variant="light">
          {error(run.reason)}
        </Alert>
      )}
      <p>{t('about')}</p>
      {left === 0 ? (
        <p>{t('noneLeft')}</p>
      ) : (
        <Button
          type="submit"
          name="intent"
          value="start"
          variant={run ? 'default' : 'filled'}
          loading={state === 'submitting'}
        >
          {t(run ? 'again' : 'start')}
        </Button>
      )}
      <p className={classes.quiet}>{t('left', { count: left })}</p>
    </Form>
  );
}

type ResultsProps = { result: Suggestions; runId: number; chapters: number };

function Results({ result: { title, notes, chapters }, runId, chapters: former }: ResultsProps) {
  const { t } = useTranslation('suggestions');
  return (
    <>
      {title && (
        <Part part="title" runId={runId}>
          <p dir="auto">
            <strong>{title.text}</strong>
          </p>
          <Passages passages={title.passages} />
        </Part>
      )}
      {notes && (
        <Part part="notes" runId={runId}>
          <p dir="auto" className={classes.text}>
            {notes.text}
          </p>
          <Passages passages={notes.passages} />
        </Part>
      )}
      {chapters.length > 0 && (
        <Part part="chapters" runId={runId} note={former > 0 ? t('replaces', { count: former }) : undefined}>
          <ol className={classes.chapters}>
            {chapters.map((chapter) => (
              <li key={chapter.startMs}>
                <span dir="auto">
                  <span className={classes.time}>{formatClock(Math.floor(chapter.startMs / 1000))}</span>{' '}
                  <strong>{chapter.title}</strong>
                </span>
                <blockquote dir="auto">{chapter.quote}</blockquote>
              </li>
            ))}
          </ol>
        </Part>
      )}
    </>
  );
}

type PartProps = { part: SuggestedPart; runId: number; note?: string; children: ReactNode };

function Part({ part, runId, note, children }: PartProps) {
  const { t } = useTranslation('suggestions');
  return (
    <section>
      <SectionTitle>{t(`part.${part}`)}</SectionTitle>
      {children}
      <Form method="post">
        <input type="hidden" name="runId" value={runId} />
        <input type="hidden" name="part" value={part} />
        {note && <p>{note}</p>}
        <Button type="submit" name="intent" value="take" variant="default">
          {t(`take.${part}`)}
        </Button>
      </Form>
    </section>
  );
}

function Passages({ passages }: { passages: Passage[] }) {
  const { t } = useTranslation('suggestions');
  return (
    <>
      <p className={classes.quiet}>{t('from')}</p>
      {passages.map(({ quote, startMs }, index) => (
        <blockquote key={index} dir="auto">
          {startMs !== null && <span className={classes.time}>{formatClock(Math.floor(startMs / 1000))} </span>}
          {quote}
        </blockquote>
      ))}
    </>
  );
}
