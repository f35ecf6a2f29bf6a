import { contacts } from '~/db/schema/audience';
import { coupons } from '~/db/schema/coupons';
import { insertionCampaigns } from '~/db/schema/insertions';
import { editions } from '~/db/schema/newsletter';
import { rssImports } from '~/db/schema/rss-import';
import type { V1Call } from '~/server/doors/v1/v1-call';
import type { Runtime } from '~/server/runtime/runtime';
import { campaignRow } from './campaigns';
import { webhookRow } from './webhook-rows';

type Owner = { id: number; creatorId: number };
type Stage = { runtime: Runtime; owner: Owner; paid: { id: number }; show: { id: number }; episode: { id: number } };

/** One thing of each kind that the API has. @returns the path of a call, with their ids */
export async function v1Things({ runtime: { db, now }, owner, paid, show, episode }: Stage) {
  const { creatorId, id: userId } = owner;
  const id = { id: contacts.id };
  const [contact] = await db
    .insert(contacts)
    .values({
      creatorId,
      email: `c${creatorId}@mail.example`,
      name: 'Ana',
      source: 'form',
      language: 'es',
      status: 'active',
    })
    .returning(id);
  const [edition] = await db
    .insert(editions)
    .values({ creatorId, status: 'draft', title: 'Letter', content: '<p>Hello</p>', audience: { group: 'everyone' } })
    .returning({ id: editions.id });
  const times = { createdAt: now(), updatedAt: now() };
  const [coupon] = await db
    .insert(coupons)
    .values({ creatorId, productId: paid.id, code: 'SEA', percent: 20, currency: 'eur', duration: 'once', ...times })
    .returning({ id: coupons.id });
  const [campaign] = await db
    .insert(insertionCampaigns)
    .values(campaignRow({ creatorId, productId: show.id }))
    .returning({ id: insertionCampaigns.id });
  const preview = {
    title: 'Olas',
    author: 'Lucía',
    description: '',
    cover: null,
    episodes: 1,
    language: 'en',
    bytes: 0,
  };
  const losses = { oldest: null, newest: null, isLocked: false, repairs: [], losses: [] };
  const request = { feedUrl: 'https://feeds.example/olas.xml', proofCode: 'code', tokenHash: 'none', expiresAt: now() };
  const [brought] = await db
    .insert(rssImports)
    .values({
      creatorId,
      userId,
      productId: show.id,
      status: 'imported',
      preview: { ...preview, ...losses },
      ...request,
    })
    .returning({ id: rssImports.id });
  const webhook = await webhookRow({ runtime: { db }, owner });
  const ids: Record<string, number | string> = {
    shows: show.id,
    episodes: episode.id,
    contacts: contact!.id,
    editions: edition!.id,
    coupons: coupon!.id,
    campaigns: campaign!.id,
    imports: brought!.id,
    webhooks: webhook.endpointId,
  };
  return ({ path }: Pick<V1Call, 'path'>): string =>
    path
      .replace(/:user_id/, String(userId))
      .replace(/:delivery_id/, String(webhook.deliveryId))
      .replace(/:(?:show_id|id)/, String(path.includes('/subscribers') ? paid.id : ids[path.split('/')[1]!]));
}
