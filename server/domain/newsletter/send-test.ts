import { randomUUID } from 'node:crypto';
import { renderEmail } from '../../edition/render-email';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { requireVerifiedEmail } from '../accounts/logins/verify-email';
import { queueRenderedEmails } from '../notifications/outbox';
import { findEditionRow } from './queries';
import { toRenderable } from './render-edition';
import type { SendTest } from './schema';

/**
 * Emails an edition, as it is now, to some addresses, with a subject that begins with the word "Test". Its links count
 * nothing, and its link to unsubscribe leads nowhere. @throws newsletter.edition_not_found
 */
export async function sendTest(ctx: Ctx, { id, part, to }: SendTest): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await requireVerifiedEmail(ctx);
  const row = await findEditionRow(ctx, { creatorId, id });
  const { edition } = await toRenderable(ctx, row, { counts: false, unsubscribe: '#', isEmail: true });
  const { html, text } = renderEmail(edition, part);
  const subject = ctx.translate('mail:edition.test', { title: row.title });
  await transact(ctx, (tx) =>
    queueRenderedEmails(
      tx,
      to.map((address) => ({
        id: randomUUID(),
        to: address,
        userId: null,
        creatorId,
        topic: 'edition_test',
        language: tx.language,
        createdAt: tx.now(),
        ...{ subject, html, text },
      })),
    ),
  );
}
