import { eq, type SQL, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { may } from '~/server/policy/authorize';
import type { Role } from '~/server/policy/roles';
import * as visibility from '~/server/policy/visibility';
import type { Actor } from '~/server/runtime/ctx';
import { cast } from '../support/cast';
import { BASE_TIME } from '../support/runtime';

type EpisodeFacts = visibility.EpisodeFacts;

const { runtime, make } = await cast({ empty: true });
const { db } = runtime;
const [owner, other] = [await make.creator(), await make.creator()];

const user = (creatorId: number | null, role: Role = 'owner'): Actor => ({
  type: 'user',
  userId: 1,
  creatorId,
  role,
  sessionId: 's',
});
const ACTORS: Record<string, Actor> = {
  visitor: { type: 'visitor' },
  listener: user(null),
  'other creator': user(other.creatorId),
  owner: user(owner.creatorId),
  analyst: user(owner.creatorId, 'analyst'),
  finance: user(owner.creatorId, 'finance'),
  'go-live job': { type: 'system', job: 'episodes.go-live' },
};
const STATUSES = ['in_progress', 'failed', 'scheduled', 'published', 'on_hold'] as const;
const TYPES = ['public', 'trailer', 'private'] as const;
const CHECKED = { audioKey: 'audio/1.mp3', audioBytes: 1000 };
/** Before the first check there is no audio; a row from before lengths were stored has no length. */
const AUDIO = [CHECKED, { audioKey: null, audioBytes: null }, { ...CHECKED, audioBytes: null }];
/** The values that the SQL rules read from an actor. The other rules get the grant itself. */
const inQuery = (actor: Actor) => visibility.actorInQuery({ actor, now: () => BASE_TIME });
const STATES = [
  {},
  { archivedAt: BASE_TIME },
  { archivedAt: BASE_TIME, retiredAt: BASE_TIME },
  { retiredAt: BASE_TIME },
  { takenDownAt: BASE_TIME },
];
const mustHaveAudio = (status: string) => status === 'published' || status === 'scheduled';

const combinations = STATUSES.flatMap((status) =>
  TYPES.flatMap((type) =>
    AUDIO.filter(({ audioKey }) => audioKey || !mustHaveAudio(status)).flatMap((audio) =>
      [{}, { deletedAt: BASE_TIME }, { takenDownAt: BASE_TIME }].flatMap((gone) =>
        (type === 'public' ? [null, BASE_TIME] : [null]).flatMap((earlyUntil) =>
          (type === 'private' ? [false, true] : [false]).map((transcriptShowAll) => ({
            ...{ status, type, ...audio, ...gone, earlyUntil, transcriptShowAll },
          })),
        ),
      ),
    ),
  ),
);
for (const kind of ['podcast', 'audio_series'] as const) {
  for (const priceMinor of [null, 500]) {
    for (const state of STATES) {
      const slug = `${kind.slice(0, 5)}-${priceMinor}-${Object.keys(state)}`;
      const product = await make.product(owner, { kind, priceMinor, ...state, slug });
      await make.episodes(product, combinations.length, (i) => combinations[i]!);
    }
  }
}
const empty = await make.product(owner, { slug: 'empty' });
const unlisted = await make.product(owner, { slug: 'unlisted', isListed: false });
await make.episodes(unlisted, 1);
const onlyPrivate = await make.product(owner, { slug: 'only-private' });
await make.episodes(onlyPrivate, 1, () => ({ type: 'private' }));

const rows = await db
  .select({ id: episodes.id, episode: episodes, product: products })
  .from(episodes)
  .innerJoin(products, eq(products.id, episodes.productId))
  .orderBy(episodes.id);
/** Selects only ids, because mapping thousands of whole rows in each case takes ten times as long. */
const selectIds = (where: SQL) =>
  db
    .select({ id: episodes.id })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(where)
    .orderBy(episodes.id);

type Rule = {
  allows: (actor: Actor, episode: EpisodeFacts) => boolean;
  where: (actor: visibility.QueryActor, grant: SQL<boolean>) => SQL;
};
/** The loaded rows have all columns, including those that only some rules read. */
const placeOf = (episode: EpisodeFacts) => episode as EpisodeFacts & visibility.PlaceFacts;
const withTranscript = (episode: EpisodeFacts) => episode as EpisodeFacts & { transcriptShowAll: boolean };
const RULES: Record<string, Rule> = {
  whereProductVisible: {
    allows: (_, { product }) => visibility.isProductVisible(product),
    where: visibility.whereProductVisible,
  },
  whereKept: { allows: (_, episode) => visibility.isKept(episode), where: visibility.whereKept },
  whereEpisodeVisible: {
    allows: (_, episode) => visibility.isEpisodeVisible(episode),
    where: visibility.whereEpisodeVisible,
  },
  whereProductOffered: {
    allows: (_, { product }) => visibility.isProductOffered(product),
    where: visibility.whereProductOffered,
  },
  whereEpisodeOffered: {
    allows: (_, episode) => visibility.isEpisodeOffered(episode),
    where: visibility.whereEpisodeOffered,
  },
  whereProductPublic: {
    allows: (_, { product }) => visibility.isProductPublic(product),
    where: visibility.whereProductPublic,
  },
  wherePublished: { allows: (_, episode) => visibility.isPublished(episode), where: visibility.wherePublished },
  whereListed: { allows: (_, episode) => visibility.isListed(episode), where: visibility.whereListed },
  whereSeen: { allows: visibility.canSee, where: visibility.whereSeen },
  wherePlayable: { allows: visibility.canPlay, where: visibility.wherePlayable },
  whereHasAudio: { allows: (_, episode) => visibility.hasAudio(episode), where: visibility.whereHasAudio },
  whereTranscriptRead: {
    allows: (actor, episode) => visibility.canReadTranscript(actor, withTranscript(episode)),
    where: visibility.whereTranscriptRead,
  },
  whereQueued: { allows: visibility.isQueued, where: visibility.whereQueued },
  whereInPublicFeed: {
    allows: (_, episode) => visibility.isInPublicFeed(episode),
    where: visibility.whereInPublicFeed,
  },
  whereHasPlace: { allows: (_, episode) => visibility.hasPlace(placeOf(episode)), where: visibility.whereHasPlace },
  whereCountsForBalance: {
    allows: (_, episode) => visibility.countsForBalance(placeOf(episode)),
    where: visibility.whereCountsForBalance,
  },
};
const COMPARED_BELOW = ['whereDiscoverable'];
const COMPARED_IN_GRANTS_TEST = [
  'whereGranted',
  'whereHeard',
  'whereLiveGrant',
  'whereOpeningGrant',
  'wherePaidFor',
  'whereOpenGift',
  'wherePaidGrant',
];

test('every SQL rule is compared with its predicate', () => {
  const exported = Object.keys(visibility).filter((name) => name.startsWith('where'));

  expect(exported.sort()).toEqual([...Object.keys(RULES), ...COMPARED_BELOW, ...COMPARED_IN_GRANTS_TEST].sort());
});

const holderOf = (hasGrant: boolean, availableAt: string | null) => ({
  given: { hasGrant, availableAt },
  // created once, because creating thousands of rows in each case takes ten times as long
  facts: rows.map(({ episode, product }) => ({ ...episode, product, hasGrant, availableAt })),
});
/** A viewer without a grant, one whose drip has not reached the episode, and one who may hear it. */
const [STRANGER, WAITING, HOLDER] = [
  holderOf(false, null),
  holderOf(true, BASE_TIME.toISOString()),
  holderOf(true, null),
];
type Holder = typeof HOLDER;

/**
 * The grant that a rule gets: a grant shows episodes before the drip has reached them, but lets holders hear only those
 * that it has reached.
 */
const givenTo = (rule: string, { given }: Holder) =>
  rule === 'whereSeen' ? given.hasGrant : visibility.isHeard(given);

function expectAllowed(selected: { id: number }[], rule: string, actor: Actor, { facts }: Holder): void {
  const allowed = facts.filter((episode) => RULES[rule]!.allows(actor, episode));
  expect(selected.map(({ id }) => id).join()).toBe(allowed.map(({ id }) => id).join());
}

const cases = Object.keys(RULES).flatMap((rule) =>
  Object.keys(ACTORS).flatMap((actor) => [STRANGER, WAITING, HOLDER].map((holder) => ({ rule, actor, holder }))),
);
test.each(cases)(
  '$rule selects what its predicate allows, for $actor (grant: $holder.given.hasGrant, waits: $holder.given.availableAt)',
  async ({ rule, actor, holder }) => {
    const given = givenTo(rule, holder);

    const selected = await selectIds(RULES[rule]!.where(inQuery(ACTORS[actor]!), sql<boolean>`${given}::boolean`));

    expectAllowed(selected, rule, ACTORS[actor]!, holder);
  },
);

const owned = preparedSelect((from, { creatorId }: Inputs<{ creatorId: number }>, rule: string, hasGrant: boolean) =>
  from
    .select({ id: episodes.id })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(
      RULES[rule]!.where({ type: 'user', userId: 1, creatorId, now: '' }, sql<boolean>`${sql.raw(String(hasGrant))}`),
    )
    .orderBy(episodes.id),
);
const forCreators = Object.keys(RULES).flatMap((rule) =>
  [owner, other].flatMap(({ creatorId }) => [STRANGER, HOLDER].map((holder) => ({ rule, creatorId, holder }))),
);
test.each(forCreators)(
  '$rule in a prepared query, for creator $creatorId (grant: $holder.given.hasGrant)',
  async (example) => {
    const { rule, creatorId, holder } = example;

    const selected = await owned(db, { creatorId }, rule, holder.given.hasGrant);

    expectAllowed(selected, rule, user(creatorId), holder);
  },
);

test('a product is discoverable if it is offered, neither retired nor archived, and lists an episode', async () => {
  const all = await db.select().from(products).orderBy(products.id);
  const listed = rows.filter(({ episode, product }) =>
    visibility.isListed({ ...episode, product, hasGrant: false, availableAt: null }),
  );
  const countOf = (id: number) => listed.filter(({ product }) => product.id === id).length;

  const found = await db
    .select({ id: products.id })
    .from(products)
    .where(visibility.whereDiscoverable())
    .orderBy(products.id);

  const expected = all.filter((row) => visibility.isDiscoverable({ ...row, episodesCount: countOf(row.id) }));
  expect(found.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
  expect(found).toHaveLength(4);
  expect(found.map(({ id }) => id)).not.toContain(empty.id);
  expect(found.map(({ id }) => id)).not.toContain(unlisted.id);
});

test.each([
  ['visitor', 'published', 'public', false, 'plays'],
  ['visitor', 'published', 'trailer', false, 'plays'],
  ['visitor', 'published', 'private', false, 'sees'],
  ['listener', 'published', 'private', false, 'sees'],
  ['listener', 'published', 'private', true, 'plays'],
  ['listener', 'scheduled', 'private', true, 'nothing'],
  ['listener', 'on_hold', 'public', true, 'nothing'],
  ['other creator', 'scheduled', 'public', false, 'nothing'],
  ['owner', 'on_hold', 'private', false, 'plays'],
  ['analyst', 'on_hold', 'private', false, 'plays'],
  ['finance', 'on_hold', 'private', false, 'nothing'],
  ['finance', 'published', 'private', false, 'sees'],
  ['go-live job', 'published', 'public', false, 'nothing'],
] as const)('in a paid product, %s with a %s %s episode (grant: %j): %s', (who, status, type, hasGrant, expected) => {
  const ctx = { actor: ACTORS[who]! };
  const product = { priceMinor: 500, archivedAt: null, takenDownAt: null, retiredAt: null };
  const own = { creatorId: owner.creatorId, status, type, earlyUntil: null };
  const facts = { ...own, ...CHECKED, deletedAt: null, takenDownAt: null, product, hasGrant, availableAt: null };

  const outcome = may(ctx, 'episode.play', facts) ? 'plays' : may(ctx, 'episode.see', facts) ? 'sees' : 'nothing';

  expect(outcome).toBe(expected);
});

test.each([
  ['visitor', false, 'nothing'],
  ['listener', true, 'plays'],
  ['owner', false, 'plays'],
] as const)('in a free product, %s with a published private episode (grant: %j): %s', (who, hasGrant, expected) => {
  const ctx = { actor: ACTORS[who]! };
  const product = { priceMinor: null, archivedAt: null, takenDownAt: null, retiredAt: null };
  const facts = {
    creatorId: owner.creatorId,
    status: 'published',
    type: 'private',
    earlyUntil: null,
    ...CHECKED,
    deletedAt: null,
    takenDownAt: null,
    product,
    hasGrant,
    availableAt: null,
  } as const;

  const outcome = may(ctx, 'episode.play', facts) ? 'plays' : may(ctx, 'episode.see', facts) ? 'sees' : 'nothing';

  expect(outcome).toBe(expected);
});
