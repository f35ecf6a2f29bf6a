/** The state of a page that a page view reports. */
export type PageState = {
  path: string;
  isError: boolean;
  isLoggedIn: boolean;
  /** The message of a successful action (`DONE_PARAM`). */
  done: string | null;
  /** The outcome of a payment, which the URL of the next page contains. */
  subscription: string | null;
};

export type TrackedEvent =
  | { event: 'page_view'; page: string }
  | { event: 'login' }
  | { event: 'subscription_status'; status: string }
  | { event: 'podcast_creation' };

/** Spec §2.5: page views are tracked on each route change, except on reset-password and error pages. */
const UNTRACKED = /^(?:\/[a-z]{2})?\/(?:login\/(?:forgot|reset)-password|error|404)(?:\/|$)/;

/** The events of a route change. @param before null on the first page of this tab */
export function eventsBetween(before: PageState | null, now: PageState): TrackedEvent[] {
  const events: TrackedEvent[] = [];
  if (before?.isLoggedIn === false && now.isLoggedIn) events.push({ event: 'login' });
  if (now.done === 'product_created' && before?.done !== now.done) events.push({ event: 'podcast_creation' });
  if (now.subscription !== null && before?.subscription !== now.subscription)
    events.push({ event: 'subscription_status', status: now.subscription });
  const isView = !now.isError && !UNTRACKED.test(now.path) && before?.path !== now.path;
  if (isView) events.push({ event: 'page_view', page: now.path });
  return events;
}
