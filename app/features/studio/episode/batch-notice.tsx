import { Button } from '~/app/components/button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { BatchAction } from '~/db/values/episodes';
import classes from './batch.module.css';

export type NoticedBatch = {
  batchId: string | null;
  action: BatchAction;
  changed: number;
  failed?: { id: number; name: string; code: string }[];
};

/**
 * The result of an action on several episodes, with a button that undoes it. Shown after the form was submitted without
 * JavaScript.
 */
export function BatchNotice({ batch: { batchId, action, changed, failed = [] } }: { batch: NoticedBatch }) {
  const { t } = useTranslation('episode');
  const { t: tError } = useTranslation('errors');
  return (
    <div className={classes.notice} role="status">
      <p>{changed > 0 ? t(`batch.done.${action}`, { count: changed }) : t('batch.nothing')}</p>
      {batchId && (
        <Form method="post">
          <input type="hidden" name="batchId" value={batchId} />
          <Button type="submit" name="intent" value="undo" size="compact-md" variant="default">
            {t('batch.undo')}
          </Button>
        </Form>
      )}
      {failed.length > 0 && (
        <ul>
          {failed.map(({ id, name, code }) => (
            <li key={id}>{t('batch.failed', { name, reason: tError(code) })}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
