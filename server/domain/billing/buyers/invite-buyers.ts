import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { tooManyRequests } from '../../../base/errors';
import { feedLinksPath, languagePrefix } from '../../../base/public-paths';
import { earlier, wholeSeconds } from '../../../base/time';
import { EMAIL_LINK_LIMITS } from '../../../limits/accounts';
import { BUYER_LIMITS } from '../../../limits/buyers';
import { requireUser } from '../../../policy/actor';
import { authorize } from '../../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { grantAccess } from '../../access/grant-access';
import { findOrCreateAccount } from '../../accounts/logins/sign-up';
import { requireVerifiedEmail } from '../../accounts/logins/verify-email';
import { countEmails, countEmailsOf } from '../../notifications/outbox';
import { acceptsBuyers } from '../../plans/features';
import { findProductRecord, type ProductRow } from '../../products/queries';
import { recordActivity } from '../../team/activity';
import { noRoomForBuyers, showIsFree, tooManyInvited } from '../base/errors';
import type { InviteBuyer } from '../base/schema';
import { type AccessEmail, lockSender, queueAccessEmail } from './access-emails';

const TOPIC = 'free_access';

/** The email about free access to a show. */
export const invitationTo = ({ id }: ProductRow): AccessEmail => ({
  topic: TOPIC,
  path: (language) => `${languagePrefix(language)}${feedLinksPath(id)}`,
});

/**
 * Gives a person free access to a paid show, by an email address. The account is found or created; the answer and the
 * email are the same in both cases, so neither reveals which. Repeating it sends the email again.
 * @throws product.not_found, buyer.show_is_free, buyer.no_room, account.email_not_verified, buyer.too_many_invited
 */
export async function inviteBuyer(ctx: Ctx, { id, kind, email }: InviteBuyer): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, 'product.manageBuyers', product);
  if (show.priceMinor === null) throw showIsFree();
  await requireVerifiedEmail(ctx);
  if (!(await acceptsBuyers(ctx, show.creatorId))) throw noRoomForBuyers();
  await transact(ctx, (tx) => inviteAddress(tx, show, email));
}

async function inviteAddress(tx: TxCtx, show: ProductRow, email: string): Promise<void> {
  await assertEmailsLeft(tx, email);
  const language = tx.language ?? DEFAULT_LANGUAGE;
  const { user } = await findOrCreateAccount(tx, { email, language, currency: show.currency });
  await grantAccess(tx, { userId: user.id, productId: show.id, source: 'gift' });
  const { creatorId, name } = show;
  await recordActivity(tx, { creatorId, action: 'buyer.invited', subjectId: user.id, params: { name } });
  await queueAccessEmail(tx, show, { ...invitationTo(show), to: { email, language: user.language } });
}

/** Limits the emails that one account sends, and those that one address receives. */
async function assertEmailsLeft(tx: TxCtx, to: string): Promise<void> {
  const { userId } = requireUser(tx);
  await lockSender(tx);
  const since = earlier(tx.now(), EMAIL_LINK_LIMITS.window);
  if ((await countEmails(tx, { to, topic: TOPIC, since })) >= EMAIL_LINK_LIMITS.perWindow)
    throw tooManyRequests(wholeSeconds(EMAIL_LINK_LIMITS.window));
  if ((await countEmailsOf(tx, { userId, topic: TOPIC, since })) >= BUYER_LIMITS.invitedPerDay)
    throw tooManyInvited({ count: BUYER_LIMITS.invitedPerDay, seconds: wholeSeconds(EMAIL_LINK_LIMITS.window) });
}
