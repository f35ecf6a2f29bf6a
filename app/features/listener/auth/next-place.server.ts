import { prefixOf } from '~/app/lib/site-paths';
import { DONATION_PAYMENT_PATH, PODCATCHER_PATH } from '~/server/base/account-paths';
import {
  BUY_GIFT_PATH,
  GIFT_PATH,
  MY_FEED_PATH,
  REGISTER_PAYMENT_PATH,
  SUBSCRIPTIONS_PATH,
} from '~/server/base/public-paths';
import { KINDS } from '~/server/domain/products/kinds';
import { STUDIO_PAGES } from '~/server/policy/studio-pages';

/** The pages to which a log-in leads, by the name of their text `next.<name>`. */
const PLACES = Object.entries({
  payment: [REGISTER_PAYMENT_PATH, DONATION_PAYMENT_PATH, BUY_GIFT_PATH],
  gift: [GIFT_PATH],
  feed: [MY_FEED_PATH, PODCATCHER_PATH],
  subscriptions: [SUBSCRIPTIONS_PATH],
  start: ['/start/page'],
  studio: [...Object.values(STUDIO_PAGES), ...Object.values(KINDS)].map(({ path }) => `/${path}`),
});

/** What a visitor sees after logging in. @param next an address that `safeNext` has let pass */
export function placeOf(next: string): string {
  if (!next.startsWith('/')) return 'back';
  const { pathname } = new URL(next, 'https://any.example');
  const path = pathname.slice(prefixOf(pathname).length);
  const found = PLACES.find(([, paths]) => paths.some((base) => path === base || path.startsWith(`${base}/`)));
  return found?.[0] ?? 'back';
}
