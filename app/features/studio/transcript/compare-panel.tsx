import { useEffect, useMemo, useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { formatClock } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { useChange, useErrorMessage, useProcedure } from '~/app/lib/trpc';
import type { KindName } from '~/server/domain/products/kinds';
import type { Cue } from '~/server/transcript/model';
import classes from './transcript-editor.module.css';
import type { Passage } from './use-passages';
import type { Loaded } from './use-saving';
import { wordChanges } from './word-changes';

type Props = {
  episode: { id: number; kind: KindName };
  passages: Passage[];
  /** Saves everything, and returns the version after it; null if something could not be saved. */
  settle: () => Promise<Date | null>;
  onRestored: (restored: Loaded) => void;
  show: (passage: Passage) => void;
  onClose: () => void;
};

const SHOWN = 200;

/** What was changed since the upload, word by word, and the way back. */
export function ComparePanel({ episode: { id, kind }, passages, settle, onRestored, show, onClose }: Props) {
  const { t } = useTranslation('transcripts');
  const { data: original, isError } = useProcedure('transcripts.original', { id, kind });
  const changes = useMemo(() => original && wordChanges(original as Cue[], passages), [original, passages]);
  return (
    <section className={classes.panel} aria-label={t('compare')}>
      {isError && <p className={classes.fact}>{t('notLoaded')}</p>}
      {changes && (
        <p role="status">{changes.length === 0 ? t('noChanges') : t('changes', { count: changes.length })}</p>
      )}
      {changes && changes.length > 0 && (
        <>
          <ul className={classes.changes}>
            {changes.slice(0, SHOWN).map(({ passage, before, after }, index) => (
              <li key={index} dir="auto">
                <button type="button" className={classes.time} onClick={() => show(passage)}>
                  {passage.cue.startMs === null ? t('go') : formatClock(Math.floor(passage.cue.startMs / 1000))}
                </button>{' '}
                {before && <del>{before}</del>} {after && <ins>{after}</ins>}
              </li>
            ))}
          </ul>
          {changes.length > SHOWN && <p className={classes.fact}>{t('moreChanges', { shown: SHOWN })}</p>}
          <Restore {...{ id, kind, settle, onRestored }} original={original as Cue[]} />
        </>
      )}
      <div className={classes.acts}>
        <Button type="button" variant="subtle" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </section>
  );
}

type RestoreProps = Pick<Props, 'settle' | 'onRestored'> & Props['episode'] & { original: Cue[] };

/** Undo brings the edited text back, so one click is enough. */
function Restore({ id, kind, settle, onRestored, original }: RestoreProps) {
  const { t } = useTranslation('transcripts');
  const messageOf = useErrorMessage();
  const [problem, setProblem] = useState<string | null>(null);
  const { changeAsync, isPending } = useChange('transcripts.restore');
  useEffect(() => {
    setProblem(null);
  }, [original]);
  async function restore() {
    try {
      const editOf = await settle();
      if (!editOf) return setProblem(t('notSavedYet'));
      const { version } = await changeAsync({ id, kind, editOf });
      onRestored({ version, cues: original });
    } catch (error) {
      setProblem(messageOf(error));
    }
  }
  return (
    <>
      {problem && (
        <Alert color="red" variant="light" role="alert">
          {problem}
        </Alert>
      )}
      <div className={classes.acts}>
        <Button type="button" variant="outline" color="red" loading={isPending} onClick={() => void restore()}>
          {t('restore')}
        </Button>
        <span className={classes.fact}>{t('restoreHelp')}</span>
      </div>
    </>
  );
}
