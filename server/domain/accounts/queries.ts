import { eq, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { listeningDays } from '~/db/schema/listening';
import type { Language } from '~/locales/languages';
import type { Ctx } from '../../ctx';
import type { Currency } from '../../money';
import { requireUser } from '../../policy/actor';
import { utcMonth } from '../../time';
import { type CoverUrls, coverUrls } from '../media/rules';
import { userNotFound } from './errors';
import { type PlanStatus, planStatus } from './rules';

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
    .select({ user: users, creator: creators, plays: playsSince(`${utcMonth(ctx.now())}-01`) })
    .from(users)
    .leftJoin(creators, eq(creators.userId, users.id))
    .where(eq(users.id, userId));
  if (!row) throw userNotFound();
  const { user, creator, plays } = row;
  // plans can't be bought and nobody can subscribe yet
  const usage = { plays, subscribers: 0, paidSubscribers: 0 };
  const known = {
    plan: 'FREE',
    claimedAt: creator?.claimedAt ?? null,
    bannerHiddenAt: user.planBannerHiddenAt,
  } as const;
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

/** Listens and downloads of the joined creator's shows since a day; 0 without a creator. */
const playsSince = (day: string) => sql<number>`(
  select coalesce(sum(${listeningDays.listens} + ${listeningDays.downloads}), 0)::int from ${listeningDays}
  where ${listeningDays.creatorId} = ${creators.id} and ${listeningDays.day} >= ${day})`;
