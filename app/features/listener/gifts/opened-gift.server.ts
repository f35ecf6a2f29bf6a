import { urlsFromApp } from '~/app/features/site/public/page-data.server';
import type { Door } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { formatDate } from '~/server/base/formats';

export const giftLinkOf = ({ url }: Pick<Door, 'url'>) => ({ token: url.searchParams.get('token') ?? '' });

/** The gift that a link opens. If a link does not work, its page says why. */
export async function openedGiftData(door: Door) {
  const { api, context, request, url } = door;
  const t = translator(context.language, 'buying');
  const paths = pathsFor(url);
  const here = url.pathname.replace(/\.data$/, '') + url.search;
  const links = { login: paths.login(here), register: paths.register(here) };
  try {
    const gift = await api.gifts.open(giftLinkOf(door));
    const { show, recipientName, refusal } = gift;
    const values = { name: recipientName, show: show.name };
    return {
      title: t(recipientName ? 'gift.open.titleNamed' : 'gift.open.title', values),
      problem: null,
      links,
      gift: {
        product: { id: show.id, name: show.name, language: show.language, cover: show.cover },
        creator: show.creator.name,
        ...{ recipientName, brand: gift.brand },
        pageUrl: urlsFromApp(context, request, show.creator.domain).product(show.slug),
        giver: gift.giver,
        message: gift.message,
        months: gift.months,
        expires: formatDate(gift.expiresAt, context.locale),
        until: gift.until && formatDate(gift.until, context.locale),
        isExtended: gift.isExtended,
        isLoggedIn: gift.isLoggedIn,
        refusal: refusal === null ? null : { code: refusal, message: context.translate(`errors:${refusal}`) },
      },
    };
  } catch (error) {
    const { status, message } = context.describeError(error);
    if (status >= 500) throw error;
    return { title: t('gift.open.failed'), problem: message, links, gift: null };
  }
}

export type OpenedGiftData = Awaited<ReturnType<typeof openedGiftData>>;
