import { catchUpShares } from '~/server/domain/affiliates/catch-up-shares';
import { noteReferral as note } from '~/server/domain/affiliates/note-referral';
import { settleShare } from '~/server/domain/affiliates/settle-share';
import { sweepVisits as sweep } from '~/server/domain/affiliates/visit-link';
import { catchUpAffiliates, noteReferral, settleAffiliate, sweepVisits } from '~/server/queue/jobs/affiliates';
import { handle } from './handle';

export const affiliateHandlers = [
  handle(noteReferral, (payload, ctx) => note(ctx, payload)),
  handle(settleAffiliate, (payload, ctx) => settleShare(ctx, payload)),
  handle(catchUpAffiliates, (payload, ctx) => catchUpShares(ctx, payload)),
  handle(sweepVisits, (_, ctx) => sweep(ctx)),
];
