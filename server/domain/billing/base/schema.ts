import { z } from 'zod';
import { BUYER_STATES } from '~/db/values/buyer-states';
import { fields, listFields } from '../../../base/fields';
import { ACCOUNT_LIMITS } from '../../../limits/accounts';
import { BUYING_LIMITS, GIFT_LIMITS, MANAGING_LIMITS } from '../../../limits/billing';
import { BUYER_LIMITS, MESSAGE_LIMITS } from '../../../limits/buyers';
import { signUpEmail } from '../../accounts/base/schema';
import { findProduct } from '../../products/schema';
import { SALE_INTERVALS } from './rules';

const minor = z.coerce.number().int().nonnegative();

export const findSubscription = z.object({ id: fields.id() });
export const cancelSubscription = findSubscription.extend({
  reason: fields.text(MANAGING_LIMITS.leavingReason).optional(),
});
/** `at` and the amounts come from the preview. */
export const changeToYearly = findSubscription.extend({ at: fields.instant(), dueMinor: minor, yearlyMinor: minor });

export type FindSubscription = z.infer<typeof findSubscription>;
export type CancelSubscription = z.infer<typeof cancelSubscription>;
export type ChangeToYearly = z.infer<typeof changeToYearly>;

/** The provider's ids of cards. */
const cardId = z.string().regex(/^[\w-]{1,100}$/);
export const findCard = z.object({ id: cardId });
/** `subscription`: charge only this subscription to the new card. */
export const startCard = z.object({ subscription: fields.id().optional() });
export const finishCard = z.object({ checkout: z.uuid() });

export type FindCard = z.infer<typeof findCard>;
export type StartCard = z.infer<typeof startCard>;
export type FinishCard = z.infer<typeof finishCard>;

/** Forms send empty strings for fields that users leave blank. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

/** `interval`: by default the usual one. `amount`: set where buyers choose the price. */
export const findOffer = z.object({
  product: fields.id(),
  interval: optional(fields.oneOf(SALE_INTERVALS)),
  amount: optional(fields.amount()),
  coupon: optional(z.string().max(BUYING_LIMITS.codeLength, { error: 'coupon.invalid' })),
});

export const buyShow = findOffer.extend({
  /** The terms that the page has shown (rules.ts). */
  shown: z.string({ error: 'field.required' }).max(BUYING_LIMITS.shownLength, { error: 'field.invalid' }),
  /** 18 years old, or with a parent's permission (spec §5). */
  adult: fields.flag().default(false),
  /** A guest's email address: see `guest`. */
  email: z.string().max(ACCOUNT_LIMITS.emailLength, { error: 'field.email_invalid' }).optional(),
  /** A guest's name, which the creator sees. */
  name: fields.optionalLine(ACCOUNT_LIMITS.nameLength).optional(),
  terms: fields.flag().default(false),
  /** Keeps the card of a single payment; a subscription keeps its card anyway. */
  saveCard: fields.flag().optional(),
});

const confirmed = (error: string) => z.boolean().refine((isTicked) => isTicked, { error });

/** What a guest states: an address for the new account, by the rules for new accounts (spec §5). */
export const guest = z.object({
  email: signUpEmail,
  adult: confirmed('account.adult_or_permission_required'),
  terms: confirmed('account.terms_required'),
});

export const findCheckout = z.object({ checkout: z.string().max(100, { error: 'field.invalid' }) });

const giftMonths = z.coerce
  .number({ error: 'field.invalid' })
  .pipe(z.literal([...GIFT_LIMITS.months], { error: 'field.invalid' }));
/** `months`: for a podcast; gifts of audio series have no end. */
export const findGiftOffer = z.object({ product: fields.id(), months: optional(giftMonths) });

export const buyGift = findGiftOffer.extend({
  /** The prices that the page has shown (rules.ts). */
  shown: z.string({ error: 'field.required' }).max(BUYING_LIMITS.shownLength, { error: 'field.invalid' }),
  recipientName: fields.optionalLine(GIFT_LIMITS.recipientName).default(''),
  /** Without an address, the giver passes the link on. */
  recipientEmail: optional(fields.email()),
  message: fields.text(GIFT_LIMITS.message).default(''),
  /** The receiver sees it. Without it, the name of a giver who is logged in. */
  giverName: fields.optionalLine(ACCOUNT_LIMITS.nameLength).optional(),
  adult: fields.flag().default(false),
  email: z.string().max(ACCOUNT_LIMITS.emailLength, { error: 'field.email_invalid' }).optional(),
  terms: fields.flag().default(false),
  saveCard: fields.flag().optional(),
});

/** The token of a gift's link. */
export const giftLink = z.object({ token: z.string().max(GIFT_LIMITS.token, { error: 'gift.not_found' }) });

/** `checkout`: the id of the checkout that paid for the gift. */
export const findMyGift = z.object({ checkout: z.uuid() });

export type FindGiftOffer = z.infer<typeof findGiftOffer>;
export type BuyGift = z.infer<typeof buyGift>;
export type GiftLink = z.infer<typeof giftLink>;

export type FindOffer = z.infer<typeof findOffer>;
export type BuyShow = z.infer<typeof buyShow>;

export const listReceipts = z.object({ page: listFields.page });
export const findReceipt = z.object({ id: fields.id() });
export type ListReceipts = z.infer<typeof listReceipts>;
export type FindReceipt = z.infer<typeof findReceipt>;
/** The token of a link in an email. */
export const overdueLink = z.object({ token: z.string().max(1000) });
export const finishOverdue = overdueLink.extend({ checkout: z.uuid() });
export type OverdueLink = z.infer<typeof overdueLink>;
export type FinishOverdue = z.infer<typeof finishOverdue>;

/** `id` and `kind` belong to the show. */
export const listBuyers = findProduct.extend({ ...listFields, state: optional(fields.oneOf(BUYER_STATES)) });
export const exportBuyers = findProduct.extend({ after: z.number().int().nonnegative().default(0) });
export const findBuyer = findProduct.extend({ userId: fields.id() });
/** An empty note is deleted. */
export const noteBuyer = findBuyer.extend({ note: fields.text(BUYER_LIMITS.note) });
/** `key`: of the form, so that sending it twice sends one message. */
export const messageBuyer = findBuyer.extend({
  key: z.uuid({ error: 'field.invalid' }),
  subject: fields.line(MESSAGE_LIMITS.subject),
  text: fields.text(MESSAGE_LIMITS.text).refine((text) => text !== '', { error: 'field.required' }),
});
/** The token of the link with which a person stops a creator's messages. */
export const messagesLink = z.object({ token: z.string().max(1000) });
export const allowMessages = z.object({ creatorId: fields.id() });
export const inviteBuyer = findProduct.extend({ email: fields.email() });
/** Each entry has its own result, so its address may be anything. */
const subscribers = z
  .array(z.object({ email: z.string({ error: 'field.email_required' }) }), { error: 'field.required' })
  .min(1, { error: 'field.required' })
  .max(BUYER_LIMITS.batch, { error: 'buyer.batch_too_long' });
/** `sendsEmail`: tell the people, as long as the limits of emails allow it. */
export const changeBatch = findProduct.extend({ subscribers, sendsEmail: z.boolean().default(true) });
/** Without an amount, everything left is refunded. `refundedMinor`: the refunded amount that the page showed. */
export const refundSale = findProduct.extend({
  saleId: fields.id(),
  amount: optional(fields.amount().refine((amount) => amount > 0, { error: 'field.amount_invalid' })),
  refundedMinor: minor,
});

export type ListBuyers = z.infer<typeof listBuyers>;
export type ExportBuyers = z.infer<typeof exportBuyers>;
export type FindBuyer = z.infer<typeof findBuyer>;
export type NoteBuyer = z.infer<typeof noteBuyer>;
export type MessageBuyer = z.infer<typeof messageBuyer>;
export type MessagesLink = z.infer<typeof messagesLink>;
export type AllowMessages = z.infer<typeof allowMessages>;
export type InviteBuyer = z.infer<typeof inviteBuyer>;
export type ChangeBatch = z.infer<typeof changeBatch>;
export type RefundSale = z.infer<typeof refundSale>;

export const pauseSubscription = findSubscription.extend({
  months: z.coerce.number({ error: 'field.invalid' }).int().min(1).max(MANAGING_LIMITS.pauseMonths),
});
export type PauseSubscription = z.infer<typeof pauseSubscription>;

/** A month in UTC, such as `2026-10`; by default the current month. */
export const viewBooks = z.object({
  month: z
    .string()
    .regex(/^20\d{2}-(?:0[1-9]|1[0-2])$/)
    .optional(),
});
export type ViewBooks = z.output<typeof viewBooks>;
