import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { SENDING_DOMAIN_PATH } from '../../base/account-paths';
import { languagePrefix } from '../../base/public-paths';
import type { TxCtx } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import { findUser } from '../accounts/base/queries';
import { findCreator } from '../creators/queries';
import { senderAddress } from './sender';
import { addressOf, type DomainRow } from './sending-domains';

/** Emails the owner that editions leave from the platform's address again, because records have disappeared. */
export async function tellOfLostDomain(tx: TxCtx, row: DomainRow): Promise<void> {
  const creator = await findCreator(tx, row.creatorId);
  const owner = await findUser(tx, creator.userId);
  if (owner.deletedAt) return;
  const url = tx.urls.app(languagePrefix(owner.language ?? DEFAULT_LANGUAGE) + SENDING_DOMAIN_PATH);
  const facts = { domain: row.domain, address: addressOf(row), platform: senderAddress(tx, creator) };
  await queueAccountEmail(tx, owner, { topic: 'domain_lost', url, ...facts });
}
