import { myDonations } from '~/app/features/listener/donation/my-donations.server';
import { givenGifts } from '~/app/features/listener/gifts/given-gifts.server';
import { urlsFromApp } from '~/app/features/site/public/page-data.server';
import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';

export type ListedSubscription = Awaited<ReturnType<typeof subscriptionsData>>['running'][number];

/** The messages about completed actions, by the query that the action redirects to. */
export function doneMessage({ url, context }: Pick<Door, 'url' | 'context'>, known: readonly string[]): string | null {
  const done = url.searchParams.get('done') ?? '';
  return known.includes(done) ? translator(context.language, 'subscriptions')(`done.${done}`) : null;
}

/** A subscriber's subscriptions, active ones first, their monthly donations and their purchases. */
export async function subscriptionsData(door: Door) {
  const { api, context, request } = door;
  const [found, { purchases }, gifts, donations] = await Promise.all([
    api.subscriptions.mine(),
    api.feeds.mine(),
    givenGifts(door),
    myDonations(door),
  ]);
  const listed = found.map((subscription) => ({
    ...subscription,
    url: urlsFromApp(context, request, subscription.show.creator.domain).product(subscription.show.slug),
  }));
  const bought = purchases.filter(({ grants }) => grants.some(({ source, isLive }) => source === 'purchase' && isLive));
  return {
    title: translator(context.language, 'subscriptions')('title'),
    done: doneMessage(door, ['cancelled', 'renewed', 'yearly', 'paid', 'card_changed', 'donation_stopped']),
    running: listed.filter(({ status }) => status !== 'unsubscribed'),
    gifts,
    donations: donations.filter(({ canStop }) => canStop),
    ended: listed.filter(({ status }) => status === 'unsubscribed'),
    purchases: bought.map(({ product }) => ({
      id: product.id,
      name: product.name,
      language: product.language,
      cover: product.cover,
      creator: product.creator.name,
      url: urlsFromApp(context, request, product.creator.domain).product(product.slug),
    })),
  };
}
