import { PAGE_PARTS, type PagePart } from '~/server/domain/creators/rules';
import type { KindName } from '~/server/domain/products/kinds';
import { BILLING_PARTS, type BillingPart } from './billing-part';
import type { Door } from './doors.server';
import { kindInPath } from './paths';

const NOT_FOUND = { status: 404, statusText: 'Not Found' };

type Route = Pick<Door, 'params' | 'url'>;

/**
 * The product that a route names: its kind comes from the path, its ID from the parameter.
 * @throws a 404 response for any other path
 */
export function productRef({ params, url }: Route): { id: number; kind: KindName } {
  const kind = kindInPath(url.pathname);
  if (!kind) throw new Response(null, NOT_FOUND);
  return { id: parseId(params.id), kind };
}

export function episodeRef({ params, url }: Route): { id: number; kind: KindName } {
  return { id: parseId(params.episodeId), kind: productRef({ params, url }).kind };
}

/** @throws a 404 response */
export function parseId(text: string | undefined): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) throw new Response(null, NOT_FOUND);
  return id;
}

/** The page of the billing settings; undefined at their own address. @throws a 404 response for unknown ones */
export function billingPartIn({ params: { part } }: Pick<Route, 'params'>): BillingPart | undefined {
  if (part === undefined) return undefined;
  const found = BILLING_PARTS.find((name) => name === part && name !== 'plan');
  if (!found) throw new Response(null, NOT_FOUND);
  return found;
}

/**
 * The page of the creator page's editor; the first one has no parameter.
 * @throws a 404 response for unknown ones
 */
export function pagePartIn({ params: { part } }: Pick<Route, 'params'>): PagePart {
  const found = PAGE_PARTS.find((name) => (part === undefined ? name === 'profile' : name === part));
  if (!found || part === 'profile') throw new Response(null, NOT_FOUND);
  return found;
}
