import { redirect } from '@remix-run/node';
import type { Door } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { prefixOf } from '~/app/lib/site-paths';
import { KINDS, type KindName } from '~/server/domain/products/kinds';

type Show = { id: number; kind: KindName; isFirstPublishUnseen: boolean };

const SHOW_PAGE = new RegExp(
  `^/(?:account/)?(${Object.values(KINDS)
    .map(({ path }) => path)
    .join('|')})/(\\d+)(?:/episodes(?:/\\d+)?)?$`,
);

/**
 * Opens the page about a show's first published episode once, on the next visit to the dashboard or to the show. The
 * episode may be published without a visit, after its check or at its release time. Forms are never interrupted.
 * @throws the redirect
 */
export function openFirstPublish({ request, url }: Pick<Door, 'request' | 'url'>, shows: Show[]): void {
  // the user only hovers over a link
  if (request.method !== 'GET' || /prefetch/.test(request.headers.get('sec-purpose') ?? '')) return;
  const path = url.pathname.replace(/\.data$/, '').slice(prefixOf(url.pathname).length);
  const [, kindPath, id] = SHOW_PAGE.exec(path) ?? [];
  const isOpen = ({ kind, ...show }: Show) => KINDS[kind].path === kindPath && show.id === Number(id);
  if (!kindPath && path !== '/dashboard') return;
  const show = shows.find((one) => one.isFirstPublishUnseen && (!kindPath || isOpen(one)));
  if (show) throw redirect(pathsFor(url).published(show));
}
