import type { Door } from '~/app/lib/doors.server';
import type { KindName } from '~/server/domain/products/kinds';
import { kindOfAddress } from './kind-of-address';

const NOT_FOUND = { status: 404, statusText: 'Not Found' };

/** Which product an address names: its kind by the path, its id by the parameter. Anything else is no page. */
export function productRef({ params, url }: Pick<Door, 'params' | 'url'>): { id: number; kind: KindName } {
  const kind = kindOfAddress(url.pathname);
  if (!kind) throw new Response(null, NOT_FOUND);
  return { id: idOf(params.id), kind };
}

export function episodeRef({ params, url }: Pick<Door, 'params' | 'url'>): { id: number; kind: KindName } {
  return { id: idOf(params.episodeId), kind: productRef({ params, url }).kind };
}

function idOf(text: string | undefined): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) throw new Response(null, NOT_FOUND);
  return id;
}
