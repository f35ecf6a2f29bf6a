import { z } from 'zod';
import { count, id, job, QUICK, SCHEDULED } from '../job';

/**
 * Ends the recommendations of a show or of a creator that must not go on (recommendations/review-recommendations.ts).
 * Enqueue it when a show is no longer public, when its creator may not publish, and when a plan ends.
 */
export const reviewRecommendations = job(
  'recommendations.review',
  { productId: id.optional(), creatorId: id.optional() },
  QUICK,
);
/** The same for all, those with ids above `after` first: plans and last days end by themselves. */
export const reviewAllRecommendations = job('recommendations.review-all', { after: count }, SCHEDULED);
/** Counts a visitor by the link of a recommendation who follows the show now, or pays for it (recommendations/count-brought.ts). */
export const countBrought = job(
  'recommendations.count-brought',
  { recommendationId: id, productId: id, as: z.enum(['follows', 'subscriptions']) },
  QUICK,
);
