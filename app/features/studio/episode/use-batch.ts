import { useState } from 'react';
import { closeToasts, showErrorToast, showToast, showUndoToast } from '~/app/components/toast';
import { useRevalidator, useSubmit } from '~/app/lib/router';
import { selectionName } from '~/app/lib/selected-ids';
import { useTranslation } from '~/app/lib/translation';
import { useChange, useErrorMessage } from '~/app/lib/trpc';
import { isUnauthorized } from '~/app/lib/trpc-errors';
import type { BatchAction } from '~/db/values/episodes';
import type { KindName } from '~/server/domain/products/kinds';
import type { ListedEpisode } from './episode-row';

/** `ids` undefined: all episodes of the show. */
type Pending = { action: BatchAction; ids: number[] | undefined };
type Done = { batchId: string; action: BatchAction; changed: number };

/**
 * Changes several episodes without leaving the page. The rows show the change at once, and revert with an error toast
 * if the server refuses it. Users can undo the change from the toast and from the bar above the list.
 */
export function useBatch(product: { id: number; kind: KindName }, onDone: () => void) {
  const { t } = useTranslation('episode');
  const { revalidate } = useRevalidator();
  const outcome = useBatchErrors();
  const [pending, setPending] = useState<Pending | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const change = useChange('episodes.change');
  const undoChange = useChange('episodes.undoChange');

  async function run(action: BatchAction, ids: number[] | undefined) {
    setPending({ action, ids });
    setDone(null);
    try {
      const { batchId, changed, failed } = await change.changeAsync({ productId: product.id, action, ids });
      await revalidate();
      onDone();
      outcome.reportFailures(failed);
      if (batchId) finish({ batchId, action, changed });
      else if (failed.length === 0) outcome.reportNothing();
    } catch (error) {
      outcome.reportError(error, action, ids);
    }
    setPending(null);
  }

  function finish(batch: Done) {
    setDone(batch);
    const text = t(`batch.done.${batch.action}`, { count: batch.changed });
    showUndoToast(text, { undo: t('batch.undo'), close: t('batch.close'), onUndo: () => void undo(batch) });
  }

  async function undo({ batchId }: Done) {
    setDone(null);
    // closes the toast that offers the same undo
    closeToasts();
    try {
      const { kept } = await undoChange.changeAsync({ batchId });
      await revalidate();
      outcome.reportUndone(kept);
    } catch (error) {
      outcome.reportError(error);
    }
  }

  return {
    run,
    done,
    undo,
    isBusy: pending !== null || undoChange.isPending,
    applyTo: (rows: ListedEpisode[]) => (pending ? rows.flatMap((row) => changedRow(row, pending)) : rows),
  };
}

export type Batch = ReturnType<typeof useBatch>;

/** The row after the change; no row if it will be deleted. */
function changedRow(row: ListedEpisode, { action, ids }: Pending): ListedEpisode[] {
  if (ids && !ids.includes(row.id)) return [row];
  if (action === 'delete') return [];
  if (action === 'private' || action === 'public') return [{ ...row, type: action }];
  if (row.status === 'in_progress' || row.status === 'failed') return [row];
  return [{ ...row, status: action === 'publish' ? 'published' : 'on_hold' }];
}

function useBatchErrors() {
  const { t } = useTranslation('episode');
  const { t: tError } = useTranslation('errors');
  const submit = useSubmit();
  const errorMessage = useErrorMessage();
  const close = t('batch.close');
  return {
    reportNothing: () => showErrorToast(t('batch.nothing'), close),
    reportFailures(failed: { name: string; code: string }[]) {
      for (const { name, code } of failed) showErrorToast(t('batch.failed', { name, reason: tError(code) }), close);
    },
    reportUndone(kept: number) {
      const text = kept > 0 ? t('batch.undonePartly', { count: kept }) : t('batch.undone');
      showToast(text, close);
    },
    reportError(error: unknown, action?: BatchAction, ids: number[] = []) {
      // the action redirects to the login page and back
      const boxes = Object.fromEntries(ids.map((id) => [selectionName(id), 'on']));
      if (isUnauthorized(error) && action) return submit({ intent: action, ...boxes }, { method: 'post' });
      showErrorToast(errorMessage(error), close);
    },
  };
}
