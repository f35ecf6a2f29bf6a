import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { currencyOf } from '../../../base/money';
import { requireUser } from '../../../policy/actor';
import { type Ctx, transact } from '../../../runtime/ctx';
import { storeCover } from '../../media/covers';
import { consumeUpload, findUsableUpload } from '../../media/uploads';
import { type CurrentUser, currentUser } from '../base/queries';
import type { CompleteFirstLogin, UpdateAccount } from '../base/schema';

/** Updates the current user's account; the currency follows the country (spec §7, auth/user). */
export async function updateAccount(ctx: Ctx, input: UpdateAccount): Promise<CurrentUser> {
  const { userId } = requireUser(ctx);
  const avatar = input.avatarKey ? await findUsableUpload(ctx, { key: input.avatarKey, purpose: 'avatar' }) : null;
  const avatarKey = avatar ? await storeCover(ctx, avatar) : undefined;

  await transact(ctx, async (tx) => {
    if (avatar) await consumeUpload(tx, avatar);
    const { name, country, language, consentsToMarketingEmails, hidePlanLimitBanner, timeZone } = input;
    const description = input.description === undefined ? undefined : input.description || null;
    const now = tx.now();
    await tx.db
      .update(users)
      .set({
        updatedAt: now,
        name,
        country,
        language,
        avatarKey,
        description,
        timeZone,
        currency: country ? currencyOf(country) : undefined,
        ...(consentsToMarketingEmails !== undefined && {
          marketingConsentedAt: consentsToMarketingEmails ? now : null,
        }),
        ...(hidePlanLimitBanner !== undefined && { planBannerHiddenAt: hidePlanLimitBanner ? now : null }),
      })
      .where(eq(users.id, userId));
  });
  const { language, country } = input;
  if (language || country) await ctx.sessions.remember({ language, country });
  return currentUser(ctx);
}

/** Stores the answers of the first-login dialog (spec §5). */
export function completeFirstLogin(ctx: Ctx, answers: CompleteFirstLogin): Promise<CurrentUser> {
  return updateAccount(ctx, answers);
}
