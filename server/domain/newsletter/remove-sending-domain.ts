import { sendingDomains } from '~/db/schema/sending-domains';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';
import { domainNotFound } from './errors';
import { eraseReports } from './record-dmarc-report';
import type { FindSendingDomain } from './schema';
import { whereDomain } from './sending-domains';
import { keepWarmUp } from './warm-up-again';

/**
 * Removes a domain with its key and the reports about it. The progress of its warm-up is kept for a while: a creator who
 * adds the domain again continues it, and gets no second share of the day. Editions that are being sent continue from the
 * platform's address.
 * @throws newsletter.domain_not_found
 */
export async function removeSendingDomain(ctx: Ctx, { id }: FindSendingDomain): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageDomains', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    await keepWarmUp(tx, { creatorId, id });
    const [row] = await tx.db
      .delete(sendingDomains)
      .where(whereDomain({ creatorId, id }))
      .returning({ domain: sendingDomains.domain, state: sendingDomains.state });
    if (!row) throw domainNotFound();
    await eraseReports(tx, [row]);
    await recordActivity(tx, { creatorId, action: 'newsletter.domain_removed', params: { name: row.domain } });
  });
}
