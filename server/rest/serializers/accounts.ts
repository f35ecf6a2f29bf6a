import { z } from 'zod';
import { LANGUAGES } from '~/locales/languages';
import { CURRENCIES } from '../../base/money';
import type { CurrentUser } from '../../domain/accounts/base/queries';
import type { OpenedSession } from '../../domain/accounts/logins/log-in';
import type { Deletion } from '../../domain/accounts/settings/delete-account';
import type { TrackingData } from '../../domain/accounts/settings/tracking-data';
import type { PlanCode } from '../../limits/plans';
import { serializer } from '../call';
import { detail } from './detail';
import { pictureUrls } from './pictures';
import { importData, writeImport } from './rss-import';

/** The plan's name in user data (spec §3). */
const planName = (code: PlanCode) => (code === 'FREE' ? 'Free Plan' : code);

const flag = z.boolean();
const url = z.url().nullable();

/** Exactly the fields of spec §3. */
export const currentUserOut = serializer(
  'CurrentUser',
  z.strictObject({
    pk: z.int(),
    email: z.string(),
    avatar: url,
    avatar_webp: url,
    country: z.string().nullable(),
    language: z.string().nullable(),
    currency: z.enum(CURRENCIES),
    is_email_verified: flag,
    is_card_expired: flag,
    creator: z.int().nullable(),
    pro_plan_user: flag,
    redirect_to_plan: flag,
    creator_redirect_url: url,
    type: z.enum(['creator', 'listener']),
    stripe_payment_method_id: z.string().nullable(),
    show_plan_limit_exceed_banner: flag,
    is_trial_period_complete: flag,
    is_trial_eligible: flag,
    subscription: z.strictObject({ name: z.string() }),
    metrics_special_access: flag,
    insertion_special_access: flag,
    is_soa_linked: flag,
    give_spotify_access: flag,
    plan_subscribers_limit_exceed: flag,
    plan_plays_limit_exceed: flag,
    plan_paid_subscribers_limit_exceed: flag,
    rss_feed_import_data: z.array(importData),
  }),
  (user: CurrentUser, ctx) => {
    const avatar = user.avatar && pictureUrls(user.avatar, ctx);
    return {
      pk: user.id,
      email: user.email,
      avatar: avatar?.jpg ?? null,
      avatar_webp: avatar?.webp ?? null,
      country: user.country,
      language: user.language,
      currency: user.currency,
      is_email_verified: user.isEmailVerified,
      is_card_expired: user.card?.isExpired ?? false,
      creator: user.creator?.id ?? null,
      pro_plan_user: user.plan.isPaid,
      redirect_to_plan: user.plan.isNeeded,
      creator_redirect_url: user.creator?.url ?? null,
      type: user.type,
      stripe_payment_method_id: user.card?.id ?? null,
      show_plan_limit_exceed_banner: user.plan.showsBanner,
      is_trial_period_complete: user.trial.complete,
      is_trial_eligible: user.trial.eligible,
      subscription: { name: planName(user.plan.code) },
      // special access to metrics does not exist yet
      metrics_special_access: false,
      insertion_special_access: user.hasInsertionAccess,
      is_soa_linked: user.spotify.isLinked,
      give_spotify_access: user.type === 'creator' && user.spotify.isOffered,
      plan_subscribers_limit_exceed: user.plan.exceeded.subscribers,
      plan_plays_limit_exceed: user.plan.exceeded.plays,
      plan_paid_subscribers_limit_exceed: user.plan.exceeded.paidSubscribers,
      rss_feed_import_data: user.imports.map((found) => writeImport(found)),
    };
  },
);

/** `key` is the token for later calls. */
export const loggedInOut = serializer(
  'Session',
  z.strictObject({ key: z.string(), user: currentUserOut.schema }),
  ({ token, user }: OpenedSession, ctx) => ({ key: token, user: currentUserOut.write(user, ctx) }),
);

const tracked = currentUserOut.schema.pick({
  pk: true,
  country: true,
  currency: true,
  is_email_verified: true,
  creator: true,
  pro_plan_user: true,
  type: true,
  show_plan_limit_exceed_banner: true,
  is_trial_period_complete: true,
  is_trial_eligible: true,
  subscription: true,
});

/** The fields of the current user that tracking may receive, and the language. */
export const trackingDataOut = serializer(
  'TrackingData',
  z.strictObject({ data: tracked.partial().extend({ language: z.enum(LANGUAGES) }) }),
  ({ user, language }: TrackingData) => ({
    data: {
      ...(user && {
        pk: user.id,
        country: user.country,
        currency: user.currency,
        is_email_verified: user.isEmailVerified,
        creator: user.creator?.id ?? null,
        pro_plan_user: user.plan.isPaid,
        type: user.type,
        show_plan_limit_exceed_banner: user.plan.showsBanner,
        is_trial_period_complete: user.trial.complete,
        is_trial_eligible: user.trial.eligible,
        subscription: { name: planName(user.plan.code) },
      }),
      language,
    },
  }),
);

export const deletionOut = serializer(
  'ScheduledDeletion',
  z.strictObject({ detail: z.string(), scheduled_for: z.iso.datetime() }),
  ({ dueAt }: Deletion, ctx) => ({
    detail: ctx.translate('errors:rest.deletion_scheduled'),
    scheduled_for: dueAt.toISOString(),
  }),
);

export const loggedOutOut = detail('errors:rest.logged_out');
export const resetRequestedOut = detail('errors:rest.reset_requested');
