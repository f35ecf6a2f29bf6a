import { hash } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { DAYS, earlier } from '../../base/time';
import { availableFrom } from '../../policy/drip';
import { actorInQuery, whereQueued } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { allShows, readCombinedFeed } from './combined-feed';
import { asListener, feedSigner } from './feed-access';
import { type AccessEnd, type LinkState, listAccessEnds, listLinkStates } from './link-states';
import { noticeOf } from './notices';
import { type FeedContents, onePage, readFeed, showOf } from './queries';

type Reads = Pick<Ctx, 'db' | 'urls' | 'vault' | 'now' | 'translate'>;

/** The differences between the feeds of two listeners of one show. */
export type Personal = { self: string; name: string; access(episodeId: number): string };

export type PrivateFeed = {
  version: string;
  /** Only needed if the whole feed is sent. */
  personal(): Personal;
  /** Feeds with the same key differ only in their personal part. Null: no other feed has the same contents. */
  shared: string | null;
  /** Queries the contents. A client that already has this version needs none of them. */
  read(personal: Personal): Promise<FeedContents>;
};

/** Raised when the form of feeds changes, so that podcast apps load them again. */
const FORM = 3;
/** 132 bits of base64. */
const VERSION_LENGTH = 22;

/**
 * The private feeds with these tokens: every episode that their listener may hear, with addresses that work for them
 * only. One query decides at each request, so a feed begins and ends with the grant. Afterwards it contains only a
 * notice. Null if the token is unknown, or its owner has replaced it.
 */
export async function findPrivateFeeds(ctx: Reads, tokens: string[]): Promise<(PrivateFeed | null)[]> {
  const hashes = tokens.map((token) => hash('sha256', token));
  const states = await listLinkStates(ctx, hashes);
  const ends = await listAccessEnds(
    ctx,
    states.filter(({ isShared, shows }) => isShared || shows.length === 0),
  );
  const byHash = new Map(states.map((state) => [state.hash, state]));
  return tokens.map((token, i) => {
    const state = byHash.get(hashes[i]!);
    if (!state) return null;
    const end = ends.get(state.id);
    const personal = () => personalOf(ctx, token, state);
    return end ? noticeFeed(ctx, { state, end, personal }) : heardFeed(ctx, state, personal);
  });
}

function personalOf(ctx: Reads, token: string, { id, name }: LinkState): Personal {
  return { self: ctx.urls.privateFeed(token), name, access: feedSigner(ctx, id) };
}

function heardFeed(ctx: Reads, state: LinkState, personal: () => Personal): PrivateFeed {
  const { id, userId, productId, shows, name, language } = state;
  const facts = shows.map((show) => [show.id, show.version, show.change, show.isOpened, ...stepsOf(show)].join('.'));
  const version = versionOf([id, name, productId === null ? language : '', ...facts]);
  if (productId === null) {
    const ids = shows.map((show) => show.id);
    const where = () => whereQueued(listenerInQuery(ctx, userId));
    const read = (reader: Personal) => readCombinedFeed(ctx, { ids, language }, { ...reader, where });
    return { version, personal, shared: null, read };
  }
  const read = async (reader: Personal) => {
    const owner = await findOwner(ctx, productId);
    const heard = heardBySteps(ctx, shows[0]!, owner.product.dripDays);
    return readFeed(ctx, owner, { ...reader, where: () => whereQueued(listenerInQuery(ctx, userId), heard) });
  };
  return { version, personal, shared: facts.join(), read };
}

type Show = LinkState['shows'][number];
const stepsOf = ({ steps }: Show) => (steps === null ? [] : [steps]);

/**
 * Does not read the listener's grants again: the contents are the same for all listeners whose grants open the same,
 * and to whom the drip has opened the same number of episodes.
 */
function heardBySteps({ now }: Reads, { isOpened, steps }: Show, dripDays: number): SQL<boolean> {
  const at = now();
  const joined = earlier(at, DAYS(dripDays * (steps ?? 0)));
  return sql<boolean>`(${isOpened}::boolean and ${availableFrom(joined.toISOString(), at.toISOString())} is null)`;
}

const listenerInQuery = ({ now }: Reads, userId: number) => actorInQuery({ actor: asListener(userId), now });

type Ended = { state: LinkState; end: AccessEnd; personal: () => Personal };

function noticeFeed(ctx: Reads, { state, end, personal }: Ended): PrivateFeed {
  const { id: linkId, language, productId } = state;
  const version = versionOf([linkId, language, end.reason, end.at.getTime()]);
  const notice = { linkId, end, language };
  const read = async (reader: Personal): Promise<FeedContents> => {
    const show =
      productId === null ? allShows(ctx, language, reader) : showOf(ctx, await findOwner(ctx, productId), reader);
    const page = productId === null ? null : { id: productId, page: show.link };
    return { show: { ...show, changedAt: end.at }, pages: onePage([noticeOf(ctx, { ...notice, show: page })]) };
  };
  return { version, personal, shared: null, read };
}

/** A hash, because proxies and apps log ETags: the facts include the listener's name and link. */
function versionOf(facts: (string | number)[]): string {
  return hash('sha256', [FORM, ...facts].join(' '), 'base64').slice(0, VERSION_LENGTH);
}

async function findOwner({ db }: Pick<Ctx, 'db'>, productId: number) {
  const [owner] = await db
    .select({ product: products, creator: creators })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(eq(products.id, productId));
  return owner!;
}
