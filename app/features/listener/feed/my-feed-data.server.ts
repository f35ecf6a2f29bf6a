import { myDonations } from '~/app/features/listener/donation/my-donations.server';
import { urlsFromApp } from '~/app/features/site/public/page-data.server';
import type { Door, Reader } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { formatDate } from '~/server/base/formats';
import { heardData } from './heard-data.server';

const VIEWS = ['feed', 'shows', 'purchases', 'creators', 'donations'] as const;

type Mine = Awaited<ReturnType<Door['api']['feeds']['mine']>>;
type Heard = Mine['shows'][number];

/** The shows that a listener follows or has bought, and what they can hear now. Empty tabs are hidden, except the first. */
export async function myFeedData(door: Door) {
  const { api, context, request, url } = door;
  const [{ shows, purchases }, donations, user] = await Promise.all([
    api.feeds.mine(),
    myDonations(door),
    api.accounts.me(),
  ]);
  const requested = url.searchParams.get('view');
  const items = { feed: shows, shows, purchases, creators: shows, donations };
  const views = VIEWS.filter((view) => view === 'feed' || items[view].length > 0);
  const languages = new Map(shows.map(({ product }) => [product.id, product.language]));
  const view = views.find((view) => view === requested) ?? 'feed';
  return {
    title: translator(context.language, 'follow')('mine.title'),
    unverified: user.isEmailVerified ? null : user.email,
    inboxUrl: context.inboxUrl,
    usesStudio: user.creator !== null,
    views,
    view,
    heard: view === 'feed' ? await heardData(door, languages) : null,
    isUnfollowed: url.searchParams.has('unfollowed'),
    isStopped: url.searchParams.has('stopped'),
    isSent: url.searchParams.has('sent'),
    shows: shows.map((show) => toHeardCard({ context, request }, show)),
    purchases: purchases.map((show) => toHeardCard({ context, request }, show)),
    creators: creatorsOf({ context, request }, shows),
    donations,
  };
}

export type HeardCard = ReturnType<typeof toHeardCard>;

function toHeardCard({ context, request }: Pick<Door, 'context' | 'request'>, heard: Heard) {
  const { product, isFollowed, isLive } = heard;
  const { id, name, slug, language, cover, creator } = product;
  const url = urlsFromApp(context, request, creator.domain).product(slug);
  const facts = heard.grants.map((grant) => factsOf(grant, context));
  return { id, name, language, cover, url, creator: creator.name, isFollowed, isLive, facts };
}

/** The reason for the listener's access, and its end. */
function factsOf({ source, endsAt, renews, isLive }: Heard['grants'][number], { language, locale }: Reader): string {
  const t = translator(language, 'follow');
  if (endsAt === null) return t(`mine.source.${source}`);
  const state = isLive ? (renews ? 'renews' : 'ends') : 'ended';
  const date = formatDate(endsAt, locale);
  return `${t(`mine.source.${source}`)} · ${t(`mine.${state}`, { date })}`;
}

function creatorsOf({ context, request }: Pick<Door, 'context' | 'request'>, shows: Heard[]) {
  const creators = new Map(shows.map(({ product: { creator } }) => [creator.id, creator]));
  return [...creators.values()].map(({ name, domain, avatar }) => ({
    name,
    avatar: avatar?.webp[96] ?? null,
    url: urlsFromApp(context, request, domain).creator,
  }));
}
