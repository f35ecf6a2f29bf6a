import { isPlanLimit, showPlanLimit } from '~/app/components/plan-limit';
import { showErrorToast, showToast } from '~/app/components/toast';
import { usePaths } from '~/app/lib/paths';
import { useRevalidator, useSubmit } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useChange, useErrorMessage } from '~/app/lib/trpc';
import { errorCode, isUnauthorized } from '~/app/lib/trpc-errors';
import type { EpisodeStatus } from '~/db/values/episodes';
import type { KindName } from '~/server/domain/products/kinds';

type Episode = { id: number; productId: number; kind: KindName; status: EpisodeStatus };

/**
 * Publishes and unpublishes an episode without leaving the page. `status` is optimistic: it shows the new status at
 * once, stays until the page's data has reloaded, and reverts with an error toast if the server refuses the change.
 */
export function useStatusActions({ id, productId, kind, status }: Episode) {
  const action = usePaths().episode({ id, productId, kind });
  const publish = useChange('episodes.release', useOutcome(action, 'publish', 'done.episode_published'));
  const unpublish = useChange('episodes.hold', useOutcome(action, 'unpublish', 'done.episode_unpublished'));
  const pending = publish.isPending ? 'published' : unpublish.isPending ? 'on_hold' : null;
  return {
    status: pending ?? status,
    publish: () => publish.change({ id, kind }),
    unpublish: () => unpublish.change({ id, kind }),
  };
}

function useOutcome(action: string, intent: string, done: string) {
  const { t } = useTranslation('studio');
  const { revalidate } = useRevalidator();
  const submit = useSubmit();
  const errorMessage = useErrorMessage();
  return {
    // the mutation is pending until the loaders have answered, so the status never flickers back
    onSuccess: async ({ isHeld }: { isHeld: boolean }) => {
      showToast(t(intent === 'publish' && isHeld ? 'done.episode_waits' : done), t('close'));
      await revalidate();
    },
    onError: (error: unknown) => {
      // the action redirects to the login page and back
      if (isUnauthorized(error)) return submit({ intent }, { method: 'post', action });
      if (isPlanLimit(errorCode(error))) showPlanLimit(errorMessage(error));
      else showErrorToast(errorMessage(error), t('close'));
    },
  };
}
