import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { creatorPlans } from '~/db/schema/plans';
import type { Language } from '~/locales/languages';
import type { Ctx } from '../../ctx';
import type { Currency } from '../../money';
import { requireUser } from '../../policy/actor';
import { type CoverUrls, coverUrls } from '../media/rules';
import { planUsage } from '../plans/queries';
import { type PlanStatus, planStatus } from '../plans/rules';
import { userNotFound } from './errors';

export type UserRow = typeof users.$inferSelect;

/** @throws account.not_found */
export async function findUser(ctx: Ctx, id: number): Promise<UserRow> {
  const [row] = await ctx.db.select().from(users).where(eq(users.id, id));
  if (!row) throw userNotFound();
  return row;
}

export async function lookupUserByEmail(ctx: Ctx, email: string): Promise<UserRow | null> {
  const [row] = await ctx.db.select().from(users).where(eq(users.email, email));
  return row ?? null;
}

/** The current user's own account (spec §3, current user). */
export type CurrentUser = {
  id: number;
  email: string;
  name: string;
  avatar: CoverUrls | null;
  description: string | null;
  timeZone: string | null;
  /** Null until the user has chosen one; the first-login dialog asks for it (spec §5). */
  country: string | null;
  language: Language | null;
  currency: Currency;
  /** Null if it is not known. */
  birthDate: string | null;
  hasParentalPermission: boolean;
  isEmailVerified: boolean;
  type: 'creator' | 'listener';
  creator: { id: number; name: string; domain: string; timeZone: string; url: string } | null;
  /** The trial starts when the creator page is claimed. */
  trial: { eligible: boolean; complete: boolean; endsAt: Date | null };
  plan: Omit<PlanStatus, 'trial'>;
};

/** @throws common.unauthenticated */
export async function currentUser(ctx: Ctx): Promise<CurrentUser> {
  const { userId } = requireUser(ctx);
  const [row] = await ctx.db
    .select({ user: users, creator: creators, plan: creatorPlans.plan, ...planUsage(ctx.now()) })
    .from(users)
    .leftJoin(creators, eq(creators.userId, users.id))
    .leftJoin(creatorPlans, eq(creatorPlans.creatorId, creators.id))
    .where(eq(users.id, userId));
  if (!row) throw userNotFound();
  const { user, creator, plan: chosen, ...usage } = row;
  const known = { plan: chosen, claimedAt: creator?.claimedAt ?? null, bannerHiddenAt: user.planBannerHiddenAt };
  const { trial, ...plan } = planStatus({ ...known, usage }, ctx.now());
  const { id, email, name, country, language, currency, birthDate, description, timeZone } = user;
  return {
    id,
    email,
    name,
    country,
    language,
    currency,
    birthDate,
    description,
    timeZone,
    hasParentalPermission: user.parentalPermissionAt !== null,
    avatar: user.avatarKey ? coverUrls(user.avatarKey) : null,
    isEmailVerified: user.emailVerifiedAt !== null,
    type: creator ? 'creator' : 'listener',
    creator: creator && {
      id: creator.id,
      name: creator.name,
      domain: creator.domain,
      timeZone: creator.timeZone,
      url: ctx.urls.creator(creator.domain),
    },
    trial,
    plan,
  };
}
