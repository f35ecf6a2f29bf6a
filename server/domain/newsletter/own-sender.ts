import type { DkimKey } from '../../adapters/mail/bulk/dkim-signature';
import type { Ctx } from '../../runtime/ctx';
import { returnPathHost } from '../../sending-domains/wanted-records';
import { addressOf, type DomainRow, lookupUsedDomain } from './sending-domains';

/** What emails from a creator's own domain need. `bouncesTo`: the host of the return path. */
export type OwnSender = { domainId: number; address: string; bouncesTo: string; key: DkimKey };

/** The creator's own sender; null without a verified domain. */
export async function lookupOwnSender(ctx: Ctx, creatorId: number): Promise<OwnSender | null> {
  const row = await lookupUsedDomain(ctx, creatorId);
  if (!row) return null;
  const { id, domain, selector, sealedKey } = row;
  const privateKey = ctx.vault.open(sealedKey, keyOwner(row));
  return {
    domainId: id,
    address: addressOf(row),
    bouncesTo: returnPathHost(domain),
    key: { domain, selector, algorithm: 'rsa-sha256', privateKey },
  };
}

/** The row for which a key is sealed: it opens in no other. */
export const keyOwner = ({
  creatorId,
  domain,
  selector,
}: Pick<DomainRow, 'creatorId' | 'domain' | 'selector'>): string => `sending domain ${creatorId} ${domain} ${selector}`;
