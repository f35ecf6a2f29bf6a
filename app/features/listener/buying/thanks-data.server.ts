import { withQrCodes } from '~/app/features/site/public/app-feeds.server';
import { toListedEpisode, urlsFromApp } from '~/app/features/site/public/page-data.server';
import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { formatDate, type Locale } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';

/** Seconds until the page checks again whether the payment has arrived. */
const AGAIN = 3;

type Finished = Awaited<ReturnType<Door['api']['billing']['finish']>>;

/** The show that the listener has just been given, and their next step. @throws product.not_found without access to it */
export async function redeemedData(door: Door, productId: number) {
  const show = await heardShow(door, productId);
  const t = translator(door.context.language, 'thanks');
  return {
    state: 'done' as const,
    key: 'done.redeemed',
    title: t('after.done.redeemed.title', { show: show.name }),
    text: t('after.done.redeemed.text'),
    show,
    gift: null,
    again: null,
  };
}

/**
 * The outcome of a payment, and the buyer's next step. Null if the buyer is now logged in, so that the page loads
 * again.
 */
export async function thanksData(door: Door) {
  const { api, context, url } = door;
  const finished = await api.billing.finish({ checkout: url.searchParams.get('checkout') ?? '' });
  if (finished.state === 'logged_in') return null;
  const t = translator(context.language, 'thanks');
  const show = await boughtShow(door, finished);
  const gift = await boughtGift(door, finished);
  const key = textOf(finished);
  const rise = riseOf(finished);
  return {
    state: finished.state,
    key,
    title: t(`after.${key}.title`, { show: show?.name ?? '' }),
    text: [
      t(`after.${key}.text`, { show: show?.name ?? '', ...chargeFacts(firstOf(finished), context.locale) }),
      ...(rise ? [t('after.rise', chargeFacts(rise, context.locale))] : []),
    ].join(' '),
    show,
    gift,
    again: finished.state === 'waiting' ? AGAIN : null,
  };
}

export type ThanksData = NonNullable<Awaited<ReturnType<typeof thanksData | typeof redeemedData>>>;

/** The texts of each outcome. */
function textOf(finished: Finished): string {
  if (finished.state === 'refused') return `refused.${finished.refusedFor}`;
  if (finished.state !== 'done') return finished.state;
  if (finished.purpose !== 'show' || finished.paid) return `done.${finished.purpose}`;
  return finished.first ? 'done.trial' : 'done.free';
}

type Charge = Extract<Finished, { state: 'done' | 'refused' }>['first'];

/** The first payment after a trial. */
const firstOf = (finished: Finished): Charge => (finished.state === 'done' ? finished.first : null);
/** The first payment after a coupon, which is higher. */
const riseOf = (finished: Finished): Charge => (finished.state === 'done' ? finished.rise : null);

/** The amount and the date of a later payment. */
function chargeFacts(charge: Charge, locale: Locale): Record<string, string> {
  if (!charge) return {};
  const { at, ...money } = charge;
  return { amount: formatMoney(money, locale), date: formatDate(at, locale) };
}

/** The gift link to pass on. Null for other purchases. */
async function boughtGift({ api, context, request, url }: Door, finished: Finished) {
  if (finished.state !== 'done' || finished.purpose !== 'gift') return null;
  const gift = await api.gifts.bought({ checkout: url.searchParams.get('checkout') ?? '' });
  if (!gift?.url) return null;
  const { show, brand, recipientName, recipientEmail, giverName, message } = gift;
  return {
    url: gift.url,
    sentTo: recipientEmail,
    card: {
      product: show,
      creator: show.creator.name,
      pageUrl: urlsFromApp(context, request, show.creator.domain).product(show.slug),
      ...{ to: recipientName, from: giverName ?? '', message },
    },
    brand,
  };
}

/** The bought show, its first episode and its private feed. Null unless the buyer can now listen to a show. */
async function boughtShow(door: Door, finished: Finished) {
  if (finished.state !== 'done' || finished.purpose !== 'show' || finished.productId === null) return null;
  return heardShow(door, finished.productId).catch((error: unknown) => {
    // the page may still be open after the access has ended
    if (door.context.describeError(error).kind === 'not_found') return null;
    throw error;
  });
}

async function heardShow({ api, context, request }: Door, productId: number) {
  const [{ name, slug, language, cover, creator, brand }, episode, links, { hasPassword }] = await Promise.all([
    api.feeds.heardShow({ productId }),
    api.feeds.firstToHear({ productId }),
    api.feeds.privateLinks({ productId }),
    api.accounts.security(),
  ]);
  const urls = urlsFromApp(context, request, creator.domain);
  return {
    product: { id: productId, name, language, cover },
    name,
    creator: creator.name,
    brand,
    pageUrl: urls.product(slug),
    episode: episode && toListedEpisode(episode, language, urls),
    feeds: await withQrCodes(links, request),
    hasPassword,
  };
}
