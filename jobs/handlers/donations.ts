import { recordDonation as record } from '~/server/domain/donations/record-donation';
import { recordDonation } from '~/server/queue/jobs/donations';
import { handle } from './handle';

export const donationHandlers = [handle(recordDonation, (payload, ctx) => record(ctx, payload))];
