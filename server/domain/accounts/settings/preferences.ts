import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import type { Ctx } from '../../../runtime/ctx';
import type { ChooseConsent, ChooseLanguage } from '../base/schema';

/** Stores the chosen language in the browser, and in the account of a logged-in user, whose emails use it, too. */
export async function chooseLanguage(ctx: Ctx, { language }: ChooseLanguage): Promise<void> {
  const { actor } = ctx;
  if (actor.type === 'user') await ctx.db.update(users).set({ language }).where(eq(users.id, actor.userId));
  await ctx.sessions.remember({ language });
}

/** Stores the visitor's choice about third-party services in the browser. */
export async function chooseConsent(ctx: Ctx, { consent }: ChooseConsent): Promise<void> {
  await ctx.sessions.remember({ consent });
}
