import { redirect } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { BatchNotice, type NoticedBatch } from '~/app/features/studio/episode/batch-notice';
import { DeletedList } from '~/app/features/studio/episode/deleted-list';
import { type EpisodeQuery, episodeQuery, listInput, showsDeleted } from '~/app/features/studio/episode/episode-query';
import { EpisodeTable } from '~/app/features/studio/episode/episode-table';
import { DroppedFiles } from '~/app/features/studio/upload/dropped-files';
import { type Door, type FormFailure, page } from '~/app/lib/doors.server';
import { BATCH_PARAM, episodeListAction } from '~/app/lib/episode-batches.server';
import { productRef } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { titleMeta } from '~/app/lib/title-meta';

/** A product with its episodes, or with the deleted ones. Search, filters, order and page are in the URL. */
export const loader = page(async (door) => {
  const { api, url } = door;
  const ref = productRef(door);
  const query = episodeQuery(url.searchParams, ref.kind);
  const isDeleted = showsDeleted(url.searchParams);
  const [product, episodes, deleted, batch] = await Promise.all([
    api.products.forEditing(ref),
    isDeleted ? null : listed(door, query),
    isDeleted ? api.episodes.deleted({ kind: ref.kind, productId: ref.id, ...listInput(query) }) : null,
    lastBatch(door),
  ]);
  return { title: product.name, product, episodes, deleted, batch, query };
});

/** @throws a redirect from a page after the last one, on which a deletion may leave users */
async function listed({ api, params, url }: Door, query: EpisodeQuery) {
  const { id, kind } = productRef({ params, url });
  const found = await api.episodes.list({ kind, productId: id, ...listInput(query) });
  const { items, total, pageSize } = found;
  if (items.length === 0 && total > 0) {
    const search = new URLSearchParams(url.searchParams);
    search.set('page', String(Math.ceil(total / pageSize)));
    throw redirect(`${url.pathname.replace(/\.data$/, '')}?${search}`);
  }
  const plays = await api.listening.plays({ episodeIds: items.map((episode) => episode.id) });
  return { ...found, items: items.map((episode) => ({ ...episode, plays: playsOf(episode, plays) })) };
}

function playsOf({ id }: { id: number }, all: { id: number; listens: number; downloads: number }[]): number {
  const found = all.find((row) => row.id === id);
  return found ? found.listens + found.downloads : 0;
}

/** The result of the last action on several episodes; null if it can no longer be undone. */
async function lastBatch({ api, url }: Door): Promise<NoticedBatch | null> {
  const batchId = url.searchParams.get(BATCH_PARAM);
  return batchId === null ? null : api.episodes.lastChange({ batchId }).catch(() => null);
}

export const action = episodeListAction;
export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function ShowProduct() {
  const { product, episodes, deleted, batch, query } = useLoaderData<typeof loader>();
  const isEditor = useIsEditor();
  const outcome = useActionData<FormFailure | { ok: true; batch: NoticedBatch }>();
  const noticed = outcome?.ok ? outcome.batch : batch;
  return (
    <>
      {outcome?.ok === false && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {outcome.message ?? Object.values(outcome.fields)[0]?.[0]}
        </Alert>
      )}
      {noticed && <BatchNotice batch={noticed} />}
      {episodes && isEditor && <DroppedFiles product={product} />}
      {episodes && <EpisodeTable key={product.id} product={product} episodes={episodes} query={query} />}
      {deleted && <DeletedList episodes={deleted} query={query} />}
    </>
  );
}
