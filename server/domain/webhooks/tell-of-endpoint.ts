import type { webhookEndpoints } from '~/db/schema/webhooks';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { WEBHOOKS_PATH } from '../../base/account-paths';
import { languagePrefix } from '../../base/public-paths';
import type { TxCtx } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import { findUser } from '../accounts/base/queries';
import { findCreator } from '../creators/queries';

/** Emails the owner that an endpoint was switched off. The email has its host only: the rest may be a secret. */
export async function tellOfEndpoint(tx: TxCtx, row: typeof webhookEndpoints.$inferSelect): Promise<void> {
  const creator = await findCreator(tx, row.creatorId);
  const owner = await findUser(tx, creator.userId);
  if (owner.deletedAt) return;
  const url = `${tx.urls.app(languagePrefix(owner.language ?? DEFAULT_LANGUAGE) + WEBHOOKS_PATH)}?endpoint=${row.id}`;
  const topic = row.disabledFor === 'gone' ? 'webhook_gone' : 'webhook_failing';
  await queueAccountEmail(tx, owner, { topic, url, host: new URL(row.url).host });
}
