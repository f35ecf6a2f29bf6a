import { kindInPath } from '~/app/lib/paths';
import type { ShouldRevalidateFunctionArgs } from '~/app/lib/router';

/**
 * Whether the head of a show or of an episode must be loaded again. By default, a layout without a path keeps its data
 * on the way to another one, and loads it for each search in a list and each page of it.
 */
export function needsHead(navigation: ShouldRevalidateFunctionArgs): boolean {
  const { currentParams, nextParams, currentUrl, nextUrl, formMethod = 'GET' } = navigation;
  const isOther =
    currentParams.id !== nextParams.id ||
    currentParams.episodeId !== nextParams.episodeId ||
    kindInPath(currentUrl.pathname) !== kindInPath(nextUrl.pathname);
  const isSearch =
    formMethod === 'GET' && currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return isOther || (!isSearch && navigation.defaultShouldRevalidate);
}
