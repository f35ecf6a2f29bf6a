import { randomUUID } from 'node:crypto';
import { subscriberImports } from '~/db/schema/moving';
import { oldFeeds, rssImports } from '~/db/schema/rss-import';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

type Stage = { runtime: Runtime; owner: { id: number; creatorId: number }; showId: number };
type Rows = Record<string, [rule: Rule, input?: () => Input | Promise<Input>][]>;

/** A URL that the fetcher refuses before it connects. */
const PRIVATE = 'http://10.0.0.1/feed.xml';

/** A finished import by the owner. */
async function newImport({ runtime, owner, showId }: Stage): Promise<{ id: number }> {
  const preview = { title: 'Feed', author: '', cover: null, description: '', language: 'en', episodes: 0, bytes: 0 };
  const more = { oldest: null, newest: null, isLocked: false, repairs: [], losses: [] };
  const request = { feedUrl: PRIVATE, tokenHash: randomUUID(), proofCode: randomUUID(), expiresAt: runtime.now() };
  const owned = { creatorId: owner.creatorId, userId: owner.id, productId: showId };
  const [row] = await runtime.db
    .insert(rssImports)
    .values({ ...request, ...owned, status: 'imported', preview: { ...preview, ...more } })
    .returning({ id: rssImports.id });
  return row!;
}

/** A show that follows its feed at the former host. */
async function followed({ runtime, owner, showId: productId }: Stage): Promise<{ productId: number }> {
  const owned = { productId, creatorId: owner.creatorId, userId: owner.id };
  const row = { ...owned, feedUrl: PRIVATE, state: 'following' as const, since: runtime.now() };
  await runtime.db.insert(oldFeeds).values(row).onConflictDoNothing();
  return { productId };
}

const showOf = ({ showId }: Stage) => ({ id: showId, kind: 'podcast' });

/** A finished import of a subscriber list. */
async function newList({ runtime, owner, showId }: Stage): Promise<{ id: number }> {
  const owned = { creatorId: owner.creatorId, userId: owner.id, productId: showId };
  const list = { fileName: 'list.csv', fileKey: 'none', format: 'other', status: 'done' } as const;
  const [row] = await runtime.db
    .insert(subscriberImports)
    .values({ ...owned, ...list })
    .returning({ id: subscriberImports.id });
  return row!;
}

/** The rows of the authorization matrix about imports and redirects of feeds. */
export const importRows = (stage: Stage) =>
  ({
    'imports.previewShow': [['everyone', () => ({ url: PRIVATE })]],
    'imports.preview': [['creators', () => ({ url: PRIVATE })]],
    'imports.request': [['creators', () => ({ url: PRIVATE })]],
    'imports.proveByFeed': [['refusedWriters', () => newImport(stage)]],
    'imports.get': [['ownMembers', () => newImport(stage)]],
    'imports.items': [['ownReaders', () => newImport(stage)]],
    'imports.cancel': [['owner', () => newImport(stage)]],
    'imports.answer': [['everyone', () => ({ token: 'unknown', action: 'confirm' })]],
    'imports.acknowledge': [['owner', () => newImport(stage)]],
    'imports.markPrivate': [['owner', () => newImport(stage)]],
    'imports.hasOldFeed': [['ownMembers', () => followed(stage)]],
    'imports.oldFeed': [['ownMembers', () => followed(stage)]],
    'imports.followOldFeed': [['owner', async () => ({ ...(await followed(stage)), follows: true })]],
    'imports.checkOldFeed': [['owner', () => followed(stage)]],
    'moving.redirect': [['ownMembers', () => showOf(stage)]],
    'moving.check': [['refusedOwner', () => ({ ...showOf(stage), url: PRIVATE })]],
    'moving.redirectFeed': [['refusedOwner', () => ({ ...showOf(stage), url: PRIVATE })]],
    'moving.undo': [['refusedOwner', () => showOf(stage)]],
    'subscriberImports.latest': [['ownerAlone', () => showOf(stage)]],
    'subscriberImports.oldFeeds': [['ownerAlone', () => showOf(stage)]],
    'subscriberImports.problems': [['ownerAlone', () => newList(stage)]],
    'subscriberImports.exportProblems': [['ownerAlone', () => newList(stage)]],
    'subscriberImports.request': [['refusedOwner', () => ({ ...showOf(stage), subscribersKey: 'unknown' })]],
    'subscriberImports.confirm': [['refusedOwner', () => newList(stage)]],
    'subscriberImports.cancel': [['ownerAlone', () => newList(stage)]],
  }) satisfies Rows;

export const importRestRows = (stage: Stage) =>
  ({
    'POST import-rss-feed/': [['creators', () => ({ rss_feed_url: PRIVATE })]],
    'GET validate-rss-feed/': [['everyone', () => ({ token: 'unknown' })]],
    'POST validate-rss-feed/': [['everyone', () => ({ token: 'unknown', action: 'confirm' })]],
    'POST rss-feed-completion/': [['owner', async () => ({ completion_id: (await newImport(stage)).id })]],
    'POST rss-import-mark-episodes-private/': [['creators', () => newImport(stage)]],
  }) satisfies Rows;
