import type { BatchAction } from '~/db/values/episodes';
import { shownStatus } from '~/server/domain/episodes/rules';
import { withDoneMessage } from './done-message';
import { type Door, form } from './doors.server';
import { pathsFor } from './paths';
import { productRef } from './route-refs';
import { type Section, sectionAction } from './section-action.server';
import { selectedIds } from './selected-ids';

/** The query parameter that names the last action on several episodes, so that the page can undo it. */
export const BATCH_PARAM = 'batch';

type BatchResult = Awaited<ReturnType<Door['api']['episodes']['change']>>;
type Outcome = { done: string } | { batch: BatchResult & { action: BatchAction } };

async function change(door: Door, action: BatchAction, ids: number[] | undefined): Promise<Outcome> {
  const { id, kind } = productRef(door);
  return { batch: { ...(await door.api.episodes.change({ productId: id, kind, action, ids })), action } };
}

const onSelected =
  (action: BatchAction): Section<Outcome> =>
  (door, values) =>
    change(door, action, selectedIds(values));

const RESTORED: Partial<Record<string, string>> = {
  draft: 'episode_restored_draft',
  on_hold: 'episode_restored_on_hold',
};

const SECTIONS: Record<string, Section<Outcome>> = {
  publish: onSelected('publish'),
  hold: onSelected('hold'),
  private: onSelected('private'),
  public: onSelected('public'),
  delete: onSelected('delete'),
  'all-private': (door) => change(door, 'private', undefined),
  async undo({ api }, { batchId = '' }) {
    await api.episodes.undoChange({ batchId });
    return { done: 'episodes_undone' };
  },
  async restore(door, { id = '' }) {
    const { kind } = productRef(door);
    const status = shownStatus(await door.api.episodes.restore({ id, kind }));
    return { done: RESTORED[status] ?? 'episode_restored' };
  },
};

/** The form actions of the episode list. With JavaScript, the list calls the procedures itself. */
export const episodeListAction = form(sectionAction(SECTIONS), {
  then(outcome, door) {
    const list = listPath(door);
    if ('done' in outcome) return withDoneMessage(list, outcome.done);
    const { batchId, failed } = outcome.batch;
    if (batchId === null || failed.length > 0) return Response.json({ ok: true, batch: outcome.batch });
    return `${list}${list.includes('?') ? '&' : '?'}${BATCH_PARAM}=${batchId}`;
  },
});

/** The list with its search, filters and page. */
function listPath(door: Door): string {
  const { searchParams } = door.url;
  const kept = ['search', 'status', 'type', 'ordering', 'page'].filter((name) => searchParams.get(name));
  const query = new URLSearchParams(kept.map((name) => [name, searchParams.get(name)!]));
  const path = pathsFor(door.url).product(productRef(door));
  return query.size > 0 ? `${path}?${query}` : path;
}
