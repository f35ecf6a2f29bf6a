import { z } from 'zod';
import { job, PATIENT, SCHEDULED } from '../job';

/** Checks a VAT number in the register (vat/check-tax-number.ts), and repeats checks that failed. */
export const checkVatNumber = job(
  'vat.check-number',
  { country: z.string().length(2), taxNumber: z.string().max(40) },
  PATIENT,
);
export const recheckVatNumbers = job('vat.recheck-numbers', {}, SCHEDULED);
