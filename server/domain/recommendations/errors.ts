import { defineError } from '../../base/errors';

/** Also for a recommendation between other creators. */
export const recommendationNotFound = defineError('recommendation.not_found', 'not_found');
export const linkInvalid = defineError('recommendation.link_invalid', 'invalid');
export const ownShow = defineError('recommendation.own_show', 'invalid');
/** It is not public, has no promo that visitors may know of, or its creator accepts no requests. */
export const showNotRecommendable = defineError('recommendation.not_recommendable', 'conflict');
/** The show that is to play the promo is archived, taken down or deleted, or its creator may not publish. */
export const showCannotRecommend = defineError('recommendation.cannot_recommend', 'conflict');
export const alreadyRecommended = defineError('recommendation.already_recommended', 'conflict');
/** Answered, withdrawn or ended meanwhile. */
export const alreadySettled = defineError('recommendation.already_settled', 'conflict');
export const tooManyWaiting = defineError('recommendation.too_many_waiting', 'conflict');
export const tooManyRequests = defineError('recommendation.too_many_requests', 'too_many');
export const noPromo = defineError('recommendation.no_promo', 'conflict');
/** It was replaced or deleted since the request, so the recommending creator has not heard it. */
export const promoChanged = defineError('recommendation.promo_changed', 'conflict');
/** Of a swap: the own show has no promo. */
export const ownPromoRequired = defineError('recommendation.own_promo_required', 'conflict', { field: 'isSwap' });
export const firstDayPast = defineError('recommendation.first_day_past', 'invalid', { field: 'firstDay' });
export const lastDayFirst = defineError('recommendation.last_day_first', 'invalid', { field: 'lastDay' });
export const tooFarAhead = defineError('recommendation.too_far_ahead', 'invalid', { field: 'lastDay' });
export const episodesRequired = defineError('recommendation.episodes_required', 'invalid', { field: 'episodeIds' });
export const tooManyBlocked = defineError('recommendation.too_many_blocked', 'conflict');
