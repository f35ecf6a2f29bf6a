import { z } from 'zod';
import { job, QUICK } from '../job';

/** Records a settled donation, and thanks the donor; for later payments, it only refreshes the pages that show them. */
export const recordDonation = job('donations.record', { checkoutId: z.uuid() }, QUICK);
