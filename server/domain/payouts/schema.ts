import { z } from 'zod';
import { chosenSize, fields, listFields } from '../../base/fields';
import { CURRENCIES } from '../../base/money';
import { CONNECTING_LIMITS, STATEMENT_LIMITS } from '../../limits/payouts';
import { code, currentPassword } from '../accounts/base/schema';

const currency = fields.oneOf(CURRENCIES);
const month = fields.month();

/** Without a currency, the one whose balance can be paid out. `code`: of the second factor. */
export const requestPayout = z.object({
  currency: z.preprocess((value) => (value === '' ? undefined : value), currency.optional()),
  code: code.optional(),
});

/** From a browser: also the password of an account without a second factor. */
export const requestFromSession = requestPayout.extend({ currentPassword });

export const listPayouts = z.object({ page: listFields.page, pageSize: chosenSize });
export const findPaper = z.object({
  id: z.uuid({ error: 'field.invalid' }),
  kind: fields.oneOf(['invoice', 'credit_note']),
});
/** By default the current month, and the currency of the balance. */
export const findStatement = z.object({
  month: month.optional(),
  currency: currency.optional(),
  page: listFields.page,
  pageSize: fields.whole(1, STATEMENT_LIMITS.printed).optional(),
});
export const exportStatement = z.object({ month, currency, after: fields.id().optional() });

export type RequestPayout = z.infer<typeof requestPayout>;
export type RequestFromSession = z.infer<typeof requestFromSession>;
export type ListPayouts = z.infer<typeof listPayouts>;
export type FindPaper = z.infer<typeof findPaper>;
export type FindStatement = z.infer<typeof findStatement>;
export type ExportStatement = z.infer<typeof exportStatement>;

/** Proof of the owner: the code of the second factor, or the password if there is no second factor. */
export const connectAccount = z.object({ code: code.optional(), currentPassword });
const answer = z.string().max(CONNECTING_LIMITS.answerLength, { error: 'field.invalid' });
/** The query parameters of the payment provider's redirect. */
export const finishConnecting = z.object({
  state: answer,
  code: answer.optional(),
  error: answer.optional(),
});
export type ConnectAccount = z.infer<typeof connectAccount>;
export type FinishConnecting = z.infer<typeof finishConnecting>;
