import { and, asc, desc, eq, getTableColumns, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { users } from '~/db/schema/accounts';
import { paymentCards, paymentCustomers } from '~/db/schema/checkouts';
import { creators } from '~/db/schema/creators';
import { operators } from '~/db/schema/operators';
import { creatorPlans } from '~/db/schema/plans';
import { rssImports } from '~/db/schema/rss-import';
import { spotifyLinks } from '~/db/schema/spotify';
import type { Language } from '~/locales/languages';
import type { Currency } from '../../../base/money';
import { requireUser } from '../../../policy/actor';
import type { Role } from '../../../policy/roles';
import type { Ctx } from '../../../runtime/ctx';
import { type CoverUrls, coverUrls } from '../../media/rules';
import { planUsage } from '../../plans/queries';
import { type PlanStatus, planStatus } from '../../plans/rules';
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

/** Whether an account has one of these addresses; one parameter, however many there are. */
export const hasAddress = (emails: string[]): SQL =>
  sql`${users.email} in (select jsonb_array_elements_text(${JSON.stringify(emails)}::text::jsonb))`;

/** The current user's own account (spec §3, current user). */
export type CurrentUser = {
  id: number;
  email: string;
  name: string;
  avatar: CoverUrls | null;
  description: string | null;
  timeZone: string | null;
  /** Null until the user has chosen a country; the first-login dialog asks for it (spec §5). */
  country: string | null;
  language: Language | null;
  currency: Currency;
  /** Null if the birth date is not known. */
  birthDate: string | null;
  hasParentalPermission: boolean;
  isEmailVerified: boolean;
  /** Depends on the account's own page: a listener may work for other creators. */
  type: 'creator' | 'listener';
  /** May open the operators' console. */
  isOperator: boolean;
  /** The creator that the user works for now. `role`: owner on the user's own page. */
  role: Role;
  creator: { id: number; name: string; domain: string; timeZone: string; url: string } | null;
  /** Operators opened audio insertions for the user's own page, whatever its plan includes. */
  hasInsertionAccess: boolean;
  trial: { eligible: boolean; complete: boolean; endsAt: Date | null };
  plan: Omit<PlanStatus, 'trial'>;
  /** The card that is charged; null without a saved card. */
  card: { id: string; isExpired: boolean } | null;
  /** `isLinked`: the user's account there. `isOffered`: this installation has a contract, or the local replacement. */
  spotify: { isLinked: boolean; isOffered: boolean };
  /** The creator's running import and unseen results, newest first. */
  imports: CurrentImport[];
};

type ImportRow = typeof rssImports.$inferSelect;
export type CurrentImport = Pick<ImportRow, 'id' | 'status' | 'productId'> &
  Pick<ImportRow['preview'], 'title' | 'author' | 'cover' | 'episodes'>;

/** The creator that the user works for: their own, unless the session has chosen another one. */
const worksFor = alias(creators, 'works_for');

/**
 * A user's saved cards, the default one for new purchases first. Each of the user's customers at the provider may have
 * a default card: that of the main customer is the account's.
 */
export function cardsOf({ db }: Pick<Ctx, 'db'>, userId: number | typeof users.id, limit = 1) {
  return db
    .select(getTableColumns(paymentCards))
    .from(paymentCards)
    .leftJoin(paymentCustomers, eq(paymentCustomers.providerId, paymentCards.customerId))
    .where(eq(paymentCards.userId, userId))
    .orderBy(
      desc(paymentCards.isDefault),
      sql`${paymentCustomers.isMain} desc nulls last`,
      desc(paymentCards.createdAt),
      asc(paymentCards.providerId),
    )
    .limit(limit);
}

const defaultCard = (ctx: Ctx) => sql<{ id: string; expiresAt: string } | null>`(
  select json_build_object('id', card.provider_id, 'expiresAt', card.expires_at)
  from (${cardsOf(ctx, users.id)}) card where card.is_default)`;

const SHOWN_IMPORTS = 5;
const currentImports = sql<CurrentImport[]>`(
  select coalesce(json_agg(json_build_object(
    'id', i.id, 'status', i.status, 'productId', i.product_id, 'title', i.preview->>'title',
    'author', i.preview->>'author', 'cover', i.preview->>'cover', 'episodes', (i.preview->>'episodes')::int
  ) order by i.id desc), '[]') from (
    select * from ${rssImports} where ${rssImports.creatorId} = ${worksFor.id} and not ${rssImports.isFollowUp} and (
      ${rssImports.status} in ('awaiting_proof', 'confirmed', 'in_progress')
      or (${rssImports.status} in ('imported', 'failed') and ${rssImports.seenAt} is null)
    ) order by ${rssImports.id} desc limit ${SHOWN_IMPORTS}
  ) i)`;

const operates = sql<boolean>`exists (select from ${operators} where ${operators.userId} = ${users.id})`;

const linkedAtSpotify = sql<boolean>`exists (
  select from ${spotifyLinks} where ${spotifyLinks.userId} = ${users.id} and ${spotifyLinks.state} = 'linked')`;

/** @throws common.unauthenticated */
export async function currentUser(ctx: Ctx): Promise<CurrentUser> {
  const { userId, creatorId, role } = requireUser(ctx);
  const [row] = await ctx.db
    .select({
      ...{ user: users, own: creators, creator: worksFor, plan: creatorPlans.plan, planEndsAt: creatorPlans.endsAt },
      ...{ ...planUsage(ctx.now()), card: defaultCard(ctx), imports: currentImports, isOperator: operates },
      isLinkedAtSpotify: linkedAtSpotify,
    })
    .from(users)
    .leftJoin(creators, eq(creators.userId, users.id))
    .leftJoin(worksFor, eq(worksFor.id, creatorId ?? creators.id))
    .leftJoin(creatorPlans, eq(creatorPlans.creatorId, creators.id))
    .where(eq(users.id, userId));
  if (!row) throw userNotFound();
  const {
    user,
    own,
    creator,
    plan: chosen,
    planEndsAt: endsAt,
    card,
    imports,
    isOperator,
    isLinkedAtSpotify,
    ...usage
  } = row;
  const known = { plan: chosen, endsAt, claimedAt: own?.claimedAt ?? null, bannerHiddenAt: user.planBannerHiddenAt };
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
    type: own ? 'creator' : 'listener',
    isOperator,
    role,
    creator: creator && {
      id: creator.id,
      name: creator.name,
      domain: creator.domain,
      timeZone: creator.timeZone,
      url: ctx.urls.creator(creator.domain),
    },
    hasInsertionAccess: own?.insertionSpecialAccess ?? false,
    trial,
    plan,
    card: card && { id: card.id, isExpired: new Date(card.expiresAt) <= ctx.now() },
    spotify: { isLinked: isLinkedAtSpotify, isOffered: ctx.ports.spotify.openAccess !== null },
    imports,
  };
}

/** Whether the account is deleted or being deleted (erase-account.ts). */
export async function isErased(ctx: Pick<Ctx, 'db' | 'now'>, userId: number): Promise<boolean> {
  const begun = or(isNotNull(users.deletedAt), lte(users.deletionDueAt, ctx.now()));
  return (await ctx.db.$count(users, and(eq(users.id, userId), begun))) > 0;
}
