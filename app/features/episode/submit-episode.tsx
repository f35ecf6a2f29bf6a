import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useFormState } from '~/app/components/form-context';
import classes from '~/app/components/page-header.module.css';
import { SubmitButton } from '~/app/components/submit-button';
import { isUnderway, percentOf } from '~/app/features/upload/transfer';
import type { FieldUpload } from '~/app/features/upload/use-upload';
import { useTranslation } from '~/app/lib/translation';

type Props = { upload: FieldUpload; waiting: (() => void) | null; onStopWaiting: () => void; isNew: boolean };

/** Submits the form. During an upload it waits for the file and shows the progress. */
export function SubmitEpisode({ upload, waiting, onStopWaiting, isNew }: Props) {
  const { t } = useTranslation('episode');
  const { values } = useFormState();
  const { transfer } = upload;
  const isUploaded = transfer.phase === 'done' && values.fileKey === transfer.key;
  const isStopped = !isUnderway(transfer) && transfer.phase !== 'done';

  useEffect(() => {
    if (!waiting) return;
    if (isUploaded) {
      onStopWaiting();
      waiting();
    } else if (isStopped) {
      onStopWaiting();
    }
  }, [waiting, isUploaded, isStopped, onStopWaiting]);

  const label = values.publish === 'later' ? 'send.schedule' : values.publish === 'keep' ? 'send.save' : 'send.publish';
  if (!waiting) {
    return (
      <div className={classes.actions}>
        <SubmitButton>{t(label)}</SubmitButton>
        {isNew && isUnderway(transfer) && <span className={classes.hint}>{t('send.duringUpload')}</span>}
      </div>
    );
  }
  return (
    <div className={classes.actions} role="status">
      <Button type="button" loading>
        {t(label)}
      </Button>
      <span className={classes.hint}>{t('send.waiting', { percent: percentOf(transfer) })}</span>
      <Button type="button" variant="subtle" color="gray" onClick={onStopWaiting}>
        {t('send.stopWaiting')}
      </Button>
    </div>
  );
}
