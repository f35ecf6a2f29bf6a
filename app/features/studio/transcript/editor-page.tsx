import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useErrorMessage } from '~/app/lib/trpc';
import { useHydrated } from '~/app/lib/use-hydrated';
import type { EpisodeView } from '~/server/domain/episodes/views';
import type { Cue } from '~/server/transcript/model';

const TranscriptEditor = lazy(() => import('./transcript-editor'));

type Episode = Pick<EpisodeView, 'id' | 'productId' | 'kind' | 'url' | 'durationSeconds' | 'waveform'>;
type Loaded = { version: Date; cues: Cue[]; speakers: string[]; glossary: string[] };

/**
 * The editor, which loads its passages itself: they may be megabytes, which a page without JavaScript does not need.
 * `children` is that page.
 */
export function EditorPage({ episode, children }: { episode: Episode; children: ReactNode }) {
  const { t } = useTranslation('transcripts');
  const isHydrated = useHydrated();
  const messageOf = useErrorMessage();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { id, kind } = episode;
  const load = useCallback(async (): Promise<Loaded> => {
    const { client } = await import('~/app/lib/trpc-client');
    return client.transcripts.edit.query({ id, kind });
  }, [id, kind]);
  const open = useCallback(() => {
    setProblem(null);
    load().then(setLoaded, (error) => setProblem(messageOf(error)));
  }, [load]);
  useEffect(open, [open]);
  if (!isHydrated) return children;
  if (problem)
    return (
      <Alert color="red" variant="light" role="alert">
        <p>{problem}</p>
        <Button type="button" variant="default" onClick={open}>
          {t('loadAgain')}
        </Button>
      </Alert>
    );
  const waiting = <p role="status">{t('loading')}</p>;
  if (!loaded) return waiting;
  return (
    <Suspense fallback={waiting}>
      <p>
        <Link to="?">{t('back')}</Link>
      </p>
      <TranscriptEditor episode={episode} loaded={loaded} load={load} />
    </Suspense>
  );
}
