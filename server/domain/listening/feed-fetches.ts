import { classifyAgent } from '../../agents/classify';
import type { Ctx } from '../../runtime/ctx';
import { linkOfAccess } from '../feeds/feed-access';
import { appOf, networkOf } from '../feeds/podcast-apps';
import { audioOf, type Delivery } from './downloads';
import { neededBytes, networkPrefix } from './rules';

const HASHED_FOR = 'network that uses a private feed';
/** 22 base64 characters are 132 bits. */
const NETWORK_LENGTH = 22;

/**
 * Records that an address of a private feed was used, to find feeds that many people share (docs/decisions/0221). Only
 * deliveries from the start of the file with at least a minute of audio count: a phone that changes networks continues in
 * the middle.
 * Resolves after the commit. @throws common.server_busy
 */
export async function recordFeedFetch(
  ctx: Pick<Ctx, 'recorders' | 'vault' | 'now'>,
  delivery: Delivery,
  access: string,
): Promise<void> {
  const { episode, client } = delivery;
  const span = classifyAgent(client.userAgent).kind === 'bot' ? null : audioOf(delivery);
  if (!span || span.from > episode.headBytes || span.to - span.from < neededBytes(episode)) return;
  const app = appOf(client);
  if (app === null) return;
  const linkId = linkOfAccess(ctx, access, episode.id);
  if (linkId === null) return;
  const place = networkOf(networkPrefix(client.address));
  const network = ctx.vault.fingerprint(`${linkId} ${episode.id} ${place}`, HASHED_FOR).slice(0, NETWORK_LENGTH);
  await ctx.recorders.fetches.record({ linkId, episodeId: episode.id, network, app, at: ctx.now() });
}
