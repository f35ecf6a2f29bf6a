import { sendingDomains } from '~/db/schema/sending-domains';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';
import { domainNotFound } from './errors';
import type { ChangeDomainSender } from './schema';
import { addressOf, whereDomain } from './sending-domains';

/** Changes the part before the @ of a domain's address. @throws newsletter.domain_not_found */
export async function changeDomainSender(ctx: Ctx, { id, localPart }: ChangeDomainSender): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageDomains', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const [row] = await tx.db
      .update(sendingDomains)
      .set({ localPart, updatedAt: tx.now() })
      .where(whereDomain({ creatorId, id }))
      .returning();
    if (!row) throw domainNotFound();
    await recordActivity(tx, { creatorId, action: 'newsletter.domain_changed', params: { name: addressOf(row) } });
  });
}
