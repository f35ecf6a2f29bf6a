import { expect, test } from 'vitest';
import { eventsBetween, type PageState } from '~/app/features/site/tracking/events';

const at = (path: string, over: Partial<PageState> = {}): PageState => ({
  path,
  isError: false,
  isLoggedIn: false,
  done: null,
  subscription: null,
  ...over,
});
const view = (page: string) => ({ event: 'page_view', page });

test.each<[string, PageState | null, PageState, object[]]>([
  ['the first page', null, at('/'), [view('/')]],
  ['a route change', at('/'), at('/es/@ada'), [view('/es/@ada')]],
  ['only another query on the same page', at('/discover'), at('/discover'), []],
  ['the page to set a new password', at('/'), at('/login/reset-password'), []],
  ['the page to ask for that, in Spanish', at('/'), at('/es/login/forgot-password'), []],
  ['the error page', at('/'), at('/error'), []],
  ['a page that shows an error', at('/'), at('/nowhere', { isError: true }), []],
  ['a login', at('/login'), at('/dashboard', { isLoggedIn: true }), [{ event: 'login' }, view('/dashboard')]],
  ['a first page that is logged in', null, at('/dashboard', { isLoggedIn: true }), [view('/dashboard')]],
  ['a log-out', at('/dashboard', { isLoggedIn: true }), at('/login'), [view('/login')]],
  [
    'a new show',
    at('/products/create'),
    at('/podcasts/7', { done: 'product_created' }),
    [{ event: 'podcast_creation' }, view('/podcasts/7')],
  ],
  ['a new show, once', at('/podcasts/7', { done: 'product_created' }), at('/podcasts/7'), []],
  [
    'the outcome of a payment',
    at('/register/payment'),
    at('/thanks', { subscription: 'finished' }),
    [{ event: 'subscription_status', status: 'finished' }, view('/thanks')],
  ],
])('the events tracked for %s', (_, before, now, events) => {
  expect(eventsBetween(before, now)).toEqual(events);
});
