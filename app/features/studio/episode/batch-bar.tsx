import { Button } from '~/app/components/button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { BatchAction } from '~/db/values/episodes';
import classes from './batch.module.css';
import { BATCH_FORM } from './batch-form';
import type { Batch } from './use-batch';

const ACTIONS = ['publish', 'hold', 'private', 'public', 'delete'] as const satisfies BatchAction[];

type Props = {
  batch: Batch;
  selected: number[];
  count: number;
  /** Whether the show is free: its episodes can't be private. */
  isFree: boolean;
  onSelectAll: (all: boolean) => void;
};

/**
 * The actions on the selected episodes. Without JavaScript they are always visible, and the form submits the checkboxes
 * of the rows.
 */
export function BatchBar({ batch, selected, count, isFree, onSelectAll }: Props) {
  const { t } = useTranslation('episode');
  const { run, isBusy } = batch;
  const hasSelection = selected.length > 0;
  return (
    <Form
      method="post"
      id={BATCH_FORM}
      className={classes.bar}
      data-active={hasSelection || undefined}
      aria-label={t('batch.label')}
      onSubmit={(event) => event.preventDefault()}
    >
      <label className={classes.all} data-needs-script>
        <input
          type="checkbox"
          checked={hasSelection && selected.length === count}
          ref={(box) => {
            if (box) box.indeterminate = hasSelection && selected.length < count;
          }}
          onChange={(event) => onSelectAll(event.currentTarget.checked)}
        />
        {hasSelection ? t('batch.selected', { count: selected.length }) : t('batch.selectAll')}
      </label>
      <fieldset className={classes.acts} hidden={!hasSelection} disabled={isBusy}>
        <legend className="hidden-visually">{t('batch.label')}</legend>
        {ACTIONS.filter((action) => !isFree || action !== 'private').map((action) => (
          <Button
            key={action}
            type="submit"
            name="intent"
            value={action}
            size="compact-md"
            variant="default"
            onClick={() => void run(action, selected)}
          >
            {t(`batch.${action}`)}
          </Button>
        ))}
      </fieldset>
      {!hasSelection && <RestingBar batch={batch} isFree={isFree} />}
    </Form>
  );
}

/** The bar without a selection: undoes the last action, or acts on all episodes of the show. */
function RestingBar({ batch: { done, undo, run, isBusy }, isFree }: Pick<Props, 'batch' | 'isFree'>) {
  const { t } = useTranslation('episode');
  if (done) {
    return (
      <p className={classes.done} role="status">
        {t(`batch.done.${done.action}`, { count: done.changed })}{' '}
        <Button type="button" size="compact-md" variant="default" onClick={() => void undo(done)}>
          {t('batch.undo')}
        </Button>
      </p>
    );
  }
  if (isFree) return null;
  return (
    <Button
      type="submit"
      name="intent"
      value="all-private"
      size="compact-md"
      variant="subtle"
      color="gray"
      disabled={isBusy}
      onClick={() => void run('private', undefined)}
    >
      {t('batch.allPrivate')}
    </Button>
  );
}
