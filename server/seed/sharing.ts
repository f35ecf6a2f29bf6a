import { and, eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { feedLinks } from '~/db/schema/feeds';
import { DAYS, earlier, HOURS } from '../base/time';
import { insertFetches } from '../domain/feeds/fetches';
import { privateLinks } from '../domain/feeds/private-links';
import { dealWithSharedFeed, findSharedFeeds } from '../domain/feeds/shared-feeds';
import { requireUser } from '../policy/actor';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';

const LISTENER = 'nora@altavoz.example';
const APP = 'overcast';
const NETWORKS = 14;
/** Days ago on which many people used it: before the email, and after a week without a change. */
const SEEN = [10, 1];

/**
 * A listener shared the address of her private feed. She got an email, and then we replaced the address: her page with
 * the addresses says so, and the former one shows a notice.
 */
export async function seedSharedFeed(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const person = cast.find(({ email }) => email === LISTENER);
  if (!person) return;
  const link = await findLink(runtime, person);
  if (!link?.productId) return;
  const [episode] = await runtime.db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.productId, link.productId), eq(episodes.type, 'private'), eq(episodes.status, 'published')))
    .limit(1);
  if (!episode) return;
  for (const days of SEEN) {
    const at = earlier(runtime.now(), DAYS(days));
    const ctx = await actAs(runtime, person, at);
    const fetch = { linkId: link.id, episodeId: episode.id, app: APP, at: earlier(at, HOURS(1)) };
    const networks = Array.from({ length: NETWORKS }, (_, i) => `demo-${days}-${i}`);
    await insertFetches(
      runtime.db,
      networks.map((network) => ({ ...fetch, network })),
    );
    await findSharedFeeds({ ...ctx, settings: { ...ctx.settings, sharedFeeds: 'watch' } });
    await dealWithSharedFeed({ ...ctx, settings: { ...ctx.settings, sharedFeeds: 'replace' } }, { linkId: link.id });
  }
  const listener = await actAs(runtime, person);
  await privateLinks(listener, { productId: link.productId });
}

/** Null if she has bought nothing, or if an earlier start has done it. */
async function findLink(runtime: Runtime, person: DemoPerson) {
  const { userId } = requireUser(await actAs(runtime, person));
  const own = and(eq(feedLinks.userId, userId), eq(feedLinks.app, APP));
  const links = await runtime.db.select().from(feedLinks).where(own).limit(2);
  return links.length === 1 && links[0]!.replacedAt === null ? links[0]! : null;
}
