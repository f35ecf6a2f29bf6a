import { useSyncExternalStore } from 'react';
import { Button } from '~/app/components/button';
import { formatFileSize } from '~/app/lib/formats';
import { useTranslation } from '~/app/lib/translation';
import { type QueuedFile, slotOf } from './drop-queue';
import classes from './dropped-files.module.css';
import { IDLE, percentOf } from './transfer';
import { pauseUpload, resumeUpload, subscribe, transferOf } from './uploader';

type Props = { file: QueuedFile; queue: string; onRetry: () => void; onRemove: () => void };

/** One file of the queue, with its progress and its buttons. */
export function QueuedFileRow({ file, queue, onRetry, onRemove }: Props) {
  const { t, locale } = useTranslation('episode');
  const { t: tError } = useTranslation('errors');
  const slot = slotOf(queue, file);
  const transfer = useSyncExternalStore(
    subscribe,
    () => transferOf(slot),
    () => IDLE,
  );
  const { phase, sent, bytes } = transfer;
  const percent = percentOf(transfer);
  const amounts = { sent: formatFileSize(sent, locale), bytes: formatFileSize(bytes, locale) };
  const state =
    phase === 'idle' ? t('drop.waiting') : phase === 'done' ? t('drop.saving') : t(`file.phase.${phase}`, amounts);
  const isRunning = phase === 'uploading' || phase === 'starting' || phase === 'waiting';
  const isPaused = phase === 'paused' || phase === 'interrupted';
  return (
    <li className={classes.file}>
      <span className={classes.name} dir="auto">
        {file.name}
      </span>
      <progress max={100} value={percent} aria-label={t('file.progress', { name: file.fileName })} />
      {file.problem ? (
        <span role="alert" className={classes.problem}>
          {tError(file.problem.code, file.problem.values)}
        </span>
      ) : (
        <span className={classes.state}>{state}</span>
      )}
      <span className={classes.acts}>
        {isRunning && !file.problem && <Act onClick={() => pauseUpload(slot)}>{t('file.pause')}</Act>}
        {isPaused && !file.problem && <Act onClick={() => void resumeUpload(slot)}>{t('file.resume')}</Act>}
        {file.problem && phase === 'failed' && <Act onClick={onRetry}>{t('file.retry')}</Act>}
        <Act onClick={onRemove} label={t('drop.removeOne', { name: file.fileName })}>
          {t('drop.remove')}
        </Act>
      </span>
    </li>
  );
}

function Act({ onClick, label, children }: { onClick: () => void; label?: string; children: string }) {
  return (
    <Button type="button" size="compact-md" variant="subtle" color="gray" onClick={onClick} aria-label={label}>
      {children}
    </Button>
  );
}
