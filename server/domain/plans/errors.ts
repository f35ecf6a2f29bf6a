import { defineError } from '../../base/errors';
import type { Feature } from '../../limits/plans';

/** Errors by feature, so that each text names the feature that needs a plan. */
const FEATURE_ERRORS = {
  selling: defineError('plan.selling_required', 'limit_reached'),
  coupons: defineError('plan.coupons_required', 'limit_reached'),
  insertions: defineError('plan.insertions_required', 'limit_reached'),
  promos: defineError('plan.promos_required', 'limit_reached'),
  recommendations: defineError('plan.recommendations_required', 'limit_reached'),
  pausing: defineError('plan.pausing_required', 'limit_reached'),
  transcription: defineError('plan.transcription_required', 'limit_reached'),
} as const satisfies Record<Feature, ReturnType<typeof defineError>>;

export const featureRequired = (feature: Feature) => FEATURE_ERRORS[feature]();
export const maxFreeProducts = defineError('plan.max_free_products', 'limit_reached');
export const maxPaidProducts = defineError('plan.max_paid_products', 'limit_reached');
export const maxEmails = defineError('plan.max_emails', 'limit_reached');
export const maxContacts = defineError('plan.max_contacts', 'limit_reached');
export const maxFreeEpisodes = defineError('episode.max_free_reached', 'limit_reached');
