import { kindInPath } from '~/app/lib/paths';
import type { ShouldRevalidateFunctionArgs } from '~/app/lib/router';

/**
 * Whether the head of a show must be loaded again. By default, a layout without a path keeps its data on the way to
 * another show, and loads it for each search in a list and each page of it.
 */
export function needsHead(navigation: ShouldRevalidateFunctionArgs): boolean {
  const { currentParams, nextParams, currentUrl, nextUrl, formMethod = 'GET' } = navigation;
  const isOther =
    currentParams.id !== nextParams.id || kindInPath(currentUrl.pathname) !== kindInPath(nextUrl.pathname);
  const isSearch =
    formMethod === 'GET' && currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return isOther || (!isSearch && navigation.defaultShouldRevalidate);
}
