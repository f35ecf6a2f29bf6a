import { withQrCodes } from '~/app/features/site/public/app-feeds.server';
import { toListedEpisode, urlsFromApp } from '~/app/features/site/public/page-data.server';
import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';

/** Seconds until a page looks again whether the payment has arrived. */
const AGAIN = 3;

type Finished = Awaited<ReturnType<Door['api']['billing']['finish']>>;

/** What has become of a payment, and what the buyer does next. Null: they are logged in now, so the page loads again. */
export async function thanksData(door: Door) {
  const { api, context, url } = door;
  const finished = await api.billing.finish({ checkout: url.searchParams.get('checkout') ?? '' });
  if (finished.state === 'logged_in') return null;
  const t = translator(context.language, 'thanks');
  const show = await boughtShow(door, finished);
  const gift = await boughtGift(door, finished);
  const key = textOf(finished);
  return {
    state: finished.state,
    key,
    title: t(`after.${key}.title`, { show: show?.name ?? '' }),
    text: t(`after.${key}.text`, { show: show?.name ?? '' }),
    show,
    gift,
    again: finished.state === 'waiting' ? AGAIN : null,
  };
}

export type ThanksData = NonNullable<Awaited<ReturnType<typeof thanksData>>>;

/** The texts of each outcome. */
function textOf(finished: Finished): string {
  if (finished.state === 'refused') return `refused.${finished.refusedFor}`;
  return finished.state === 'done' ? `done.${finished.purpose}` : finished.state;
}

/** The link to give away. Null for anything but a gift. */
async function boughtGift({ api, url }: Door, finished: Finished) {
  if (finished.state !== 'done' || finished.purpose !== 'gift') return null;
  const gift = await api.gifts.bought({ checkout: url.searchParams.get('checkout') ?? '' });
  return gift?.url ? { url: gift.url, show: gift.show.name, sentTo: gift.recipientEmail } : null;
}

/** With the episode to hear first, and the private feed. Null for anything but a show that the buyer may hear now. */
async function boughtShow(door: Door, finished: Finished) {
  if (finished.state !== 'done' || finished.purpose !== 'show' || finished.productId === null) return null;
  return heardShow(door, finished.productId).catch((error: unknown) => {
    // a page that was kept until the access had ended
    if (door.context.describeError(error).kind === 'not_found') return null;
    throw error;
  });
}

async function heardShow({ api, context, request }: Door, productId: number) {
  const [{ name, slug, language, cover, creator }, episode, links] = await Promise.all([
    api.feeds.heardShow({ productId }),
    api.feeds.firstToHear({ productId }),
    api.feeds.privateLinks({ productId }),
  ]);
  const urls = urlsFromApp(context, request, creator.domain);
  return {
    product: { id: productId, name, language, cover },
    name,
    creator: creator.name,
    pageUrl: urls.product(slug),
    episode: episode && toListedEpisode(episode, language, urls),
    feeds: await withQrCodes(links),
  };
}
