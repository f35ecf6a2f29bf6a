import { urlsFromApp } from '~/app/features/site/public/page-data.server';
import type { Door } from '~/app/lib/doors.server';
import { formatDate } from '~/server/base/formats';

type GivenGift = Awaited<ReturnType<Door['api']['gifts']['mine']>>[number];
export type ListedGift = ReturnType<typeof toListedGift>;

/** The gifts that the logged-in user has bought, latest first. */
export async function givenGifts(door: Door): Promise<ListedGift[]> {
  const found = await door.api.gifts.mine();
  return found.map((gift) => toListedGift(gift, door));
}

/** `date`: when the gift was redeemed, or when its link expires. */
function toListedGift(gift: GivenGift, { context, request }: Pick<Door, 'context' | 'request'>) {
  const { id, months, state, url, show, recipientName, recipientEmail, redeemedAt, expiresAt } = gift;
  return {
    ...{ id, months, state, url },
    recipient: recipientName || recipientEmail,
    date: formatDate(redeemedAt ?? expiresAt, context.locale),
    name: show.name,
    language: show.language,
    cover: show.cover,
    pageUrl: urlsFromApp(context, request, show.creator.domain).product(show.slug),
  };
}
