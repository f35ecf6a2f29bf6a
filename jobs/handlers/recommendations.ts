import { countBrought as count } from '~/server/domain/recommendations/count-brought';
import { reviewRecommendations as review, reviewAll } from '~/server/domain/recommendations/review-recommendations';
import { countBrought, reviewAllRecommendations, reviewRecommendations } from '~/server/queue/jobs/recommendations';
import { handle } from './handle';

export const recommendationHandlers = [
  handle(countBrought, (payload, ctx) => count(ctx, payload)),
  handle(reviewRecommendations, (payload, ctx) => review(ctx, payload)),
  handle(reviewAllRecommendations, (payload, ctx) => reviewAll(ctx, payload)),
];
