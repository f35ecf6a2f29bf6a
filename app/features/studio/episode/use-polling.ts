import { useEffect } from 'react';
import { closeToasts } from '~/app/components/toast';
import { useRevalidator } from '~/app/lib/router';
import { useProcedure } from '~/app/lib/trpc';
import type { EpisodeStatus } from '~/db/values/episodes';
import { SECONDS } from '~/server/base/time';
import type { KindName } from '~/server/domain/products/kinds';
import { type EpisodeQuery, listInput } from './episode-query';

type Status = { status: EpisodeStatus; replacement: { isChecking: boolean } | null };

/** Polling pauses while the tab is hidden. It repeats only the query; the page's loaders run after a change. */
const POLLING = { everyMs: SECONDS(2) } as const;

const isChecking = ({ status, replacement }: Status) => status === 'in_progress' || replacement?.isChecking === true;

/** Reloads the page's data when the check of the episode's audio has finished. */
export function useEpisodePolling(episode: Status & { id: number; kind: KindName }): void {
  const { id, kind } = episode;
  const enabled = isChecking(episode);
  const { data } = useProcedure('episodes.forEditing', { id, kind }, { ...POLLING, enabled });
  useRevalidateWhen(enabled && data !== undefined && !isChecking(data), data);
  // the toast's promise is no longer true
  const hasFailed = enabled && (data?.status === 'failed' || data?.replacement?.isChecking === false);
  useEffect(() => {
    if (hasFailed) closeToasts();
  }, [hasFailed]);
}

type List = { product: { id: number; kind: KindName }; query: EpisodeQuery; items: Status[] };

/** Reloads the page's data each time the check of a listed episode has finished. */
export function useEpisodeListPolling({ product, query, items }: List): void {
  const checking = items.filter(isChecking).length;
  const input = { kind: product.kind, productId: product.id, ...listInput(query) };
  const { data } = useProcedure('episodes.list', input, { ...POLLING, enabled: checking > 0 });
  useRevalidateWhen(checking > 0 && data !== undefined && data.items.filter(isChecking).length < checking, data);
}

/** Reloads once for each answer: a second check may finish while the page's data is loading. */
function useRevalidateWhen(hasNews: boolean, answer: unknown): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (hasNews) revalidate();
  }, [hasNews, answer, revalidate]);
}
