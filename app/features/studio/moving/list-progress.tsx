import { Button } from '~/app/components/button';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { SubscriberImportView } from '~/server/domain/moving/subscriber-imports/queries';
import classes from './moving.module.css';

/** The progress of a dry run or an import. */
export function ListProgress({ found }: { found: SubscriberImportView }) {
  const { t } = useTranslation('moving');
  const { status, lines, checked, outcomes } = found;
  const total = status === 'running' ? importable(found) : lines;
  const done = status === 'running' ? found.done + found.failed : status === 'reading' ? 0 : checked;
  return (
    <div className={classes.page}>
      <div className={classes.form}>
        {total > 0 && outcomes.length + done > 0 && (
          <p className={classes.text} aria-live="polite">
            {t('people.progress', { done, total })}
          </p>
        )}
        <progress className={classes.bar} value={done} max={Math.max(total, 1)} aria-label={t('people.title')} />
        <p className={classes.soft}>{t('people.wait')}</p>
        <noscript>
          <Link to="" reloadDocument>
            {t('people.refresh')}
          </Link>
        </noscript>
        <CancelForm id={found.id} />
      </div>
    </div>
  );
}

/** The number of lines that become a subscription. */
export const importable = ({ outcomes }: SubscriberImportView): number =>
  outcomes.reduce((sum, { kind, lines }) => sum + (kind === 'skip' ? 0 : lines), 0);

export function CancelForm({ id }: { id: number }) {
  const { t } = useTranslation('moving');
  return (
    <Form method="post">
      <input type="hidden" name="id" value={id} />
      <Button type="submit" name="intent" value="cancel" variant="default">
        {t('people.cancel')}
      </Button>
    </Form>
  );
}
