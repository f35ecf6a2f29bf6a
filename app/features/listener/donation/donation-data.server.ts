import { toGoalBar } from '~/app/features/site/public/goal.server';
import { toCreatorCard, urlsFromApp } from '~/app/features/site/public/page-data.server';
import { type PageMetadata, urlPerLanguage } from '~/app/features/site/public/page-meta';
import { notFound } from '~/app/features/site/site/not-found.server';
import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { donationPath } from '~/server/base/account-paths';
import { splitAtLinks } from '~/server/base/html';
import { formatMoney, formatShortMoney, fromDecimal, toDecimal } from '~/server/base/money';

type DonationAnswer = Awaited<ReturnType<Door['api']['donations']['page']>>;

const ID = /^[1-9]\d{0,14}$/;

/** The creator from the path, or from the query of the payment step. @throws a 404 response */
export function creatorIdOf({ params, url }: Pick<Door, 'params' | 'url'>): number {
  const id = params.id ?? url.searchParams.get('creator') ?? '';
  if (!ID.test(id)) throw notFound();
  return Number(id);
}

/** The data of a creator's donation page, with amounts as texts in its language. */
export async function donationPageData(door: Door) {
  const { api, context, url } = door;
  const creatorId = creatorIdOf(door);
  const answer = await api.donations.page({ creatorId, checkout: url.searchParams.get('checkout') ?? undefined });
  const { creator, donor, text, currency } = answer;
  const t = translator(context.language, 'donation');
  return {
    id: creator.id,
    creator: { ...toCreatorCard(creator), url: urlsFromApp(context, door.request, creator.domain).creator },
    text: text ? splitAtLinks(text) : null,
    donor,
    currency,
    chosen: chosenOf(door, answer),
    suggestions: answer.suggestions.map((minor, at) => ({
      value: toDecimal(minor),
      label: formatShortMoney({ minor, currency }, context.locale),
      like: LIKES[at] ? t(`form.like.${LIKES[at]}`) : null,
    })),
    goal: answer.goal && toGoalBar(context, answer.goal),
    wall: answer.wall.map(({ id, name, message }) => ({ id, message, name: name ?? t('wall.anonymous') })),
    more: answer.moreDonors > 0 ? t('wall.more', { count: answer.moreDonors }) : null,
    given: toGiven(door, answer),
    metadata: metadataOf(door, answer),
  };
}

export type DonationPageData = Awaited<ReturnType<typeof donationPageData>>;

/** What each suggested amount is like, from the smallest on. */
const LIKES = ['coffee', 'breakfast', 'lunch', 'dinner'];

/** The form's initial choice. It comes from the query, to which a cancelled payment returns. */
function chosenOf({ url }: Door, { suggestions }: DonationAnswer) {
  const amount = url.searchParams.get('amount') ?? '';
  const minor = fromDecimal(amount);
  const isSuggested = minor !== null && suggestions.includes(minor);
  const proposed = toDecimal(suggestions[1] ?? suggestions[0] ?? 0);
  return {
    choice: isSuggested ? toDecimal(minor) : amount ? 'other' : proposed,
    amount: amount && !isSuggested ? amount.slice(0, 20) : '',
    every: url.searchParams.get('every') === 'month' ? 'month' : 'once',
  };
}

function toGiven({ context }: Door, { given, creator: { name } }: DonationAnswer) {
  if (!given) return null;
  const { amountMinor: minor, currency, every, isPaid, thankYouText } = given;
  const facts = { name, amount: formatMoney({ minor, currency }, context.locale) };
  const t = translator(context.language, 'donation');
  const paid = t(every ? 'given.month' : 'given.once', facts);
  return { isPaid, text: isPaid ? paid : t('given.pending', facts), thankYouText };
}

function metadataOf({ context }: Door, { creator, text, given }: DonationAnswer): PageMetadata {
  const t = translator(context.language, 'donation');
  return {
    title: t('title', { name: creator.name }),
    description: text || t('description', { name: creator.name }),
    language: context.language,
    urls: urlPerLanguage((prefix) => context.urls.app((prefix ? `/${prefix}` : '') + donationPath(creator.id))),
    image: creator.avatar && { url: context.urls.media(creator.avatar.jpg), alt: creator.name, isWide: false },
    audio: null,
    feed: null,
    isUnlisted: given !== null,
  };
}
