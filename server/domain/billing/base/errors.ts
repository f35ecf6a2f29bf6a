import { defineError } from '../../../base/errors';

export const checkoutNotFound = defineError('billing.checkout_not_found', 'not_found');
/** Its text is the specification's (§8). */
export const alreadySubscribed = defineError('billing.already_subscribed', 'conflict');
export const notForSale = defineError('billing.not_for_sale', 'conflict');

/** What is charged now is not what was shown. */
export const amountChanged = defineError('billing.amount_changed', 'conflict');
/** Another change of the same plan has begun and not ended. */
export const changeRunning = defineError('billing.change_running', 'conflict');
export const planNotOffered = defineError('billing.plan_not_offered', 'conflict');
export const noPlan = defineError('billing.no_plan', 'conflict');
export const planEnding = defineError('billing.plan_ending', 'conflict');
export const paymentOverdue = defineError('billing.payment_overdue', 'conflict');
export const noSavedCard = defineError('billing.no_saved_card', 'conflict');
export const subscriptionNotFound = defineError('billing.subscription_not_found', 'not_found');
/** A page that was left open: the subscription that it shows has ended. */
export const subscriptionEnded = defineError('billing.subscription_ended', 'conflict');
/** The exact amount or date differs from what the subscriber has seen. */
export const changeDiffers = defineError('billing.change_differs', 'conflict');
export const notOfferedYearly = defineError('billing.not_offered_yearly', 'conflict');
export const cardNotFound = defineError('billing.card_not_found', 'not_found');
/** Its text is the specification's (§8). */
export const cardNeeded = defineError('billing.card_needed', 'conflict');
export const ownShow = defineError('billing.own_show', 'conflict');
/** The show has another price now than the page has shown. Its param is the present price. */
export const priceChanged = defineError('billing.price_changed', 'conflict');
/** Its params are the lowest and the highest amount. */
export const amountOutOfBounds = defineError('billing.amount_bounds', 'invalid', { field: 'amount' });
export const receiptNotFound = defineError('billing.receipt_not_found', 'not_found');
/** It was forged, or the subscription has ended. */
export const overdueLinkEnded = defineError('billing.overdue_link_ended', 'expired');
export const overdueLinkInvalid = defineError('billing.overdue_link_invalid', 'expired');

/** Its link was never one. */
export const giftNotFound = defineError('gift.not_found', 'not_found');
/** Nobody redeemed it within a year. */
export const giftExpired = defineError('gift.expired', 'expired');
export const giftRefunded = defineError('gift.refunded', 'expired');
export const giftRedeemed = defineError('gift.redeemed', 'conflict');
/** Its giver passes it on. */
export const ownGift = defineError('gift.own', 'conflict');
/** By a subscription that renews, or without an end: the link stays valid. */
export const giftNotNeeded = defineError('gift.not_needed', 'conflict');
export const giftOfOwnShow = defineError('gift.own_show', 'conflict');

/** Of another creator's show, too. */
export const buyerNotFound = defineError('buyer.not_found', 'not_found');
export const saleNotFound = defineError('buyer.sale_not_found', 'not_found');
/** The bank takes the money back itself. */
/** On a creator's account that is no longer connected. */
export const saleElsewhere = defineError('buyer.sale_elsewhere', 'conflict');
export const saleDisputed = defineError('buyer.sale_disputed', 'conflict');
/** Its param is what is left. */
export const refundTooHigh = defineError('buyer.refund_too_high', 'invalid', { field: 'amount' });
/** Refunded meanwhile, by another window or at the payment provider. */
export const refundChanged = defineError('buyer.refund_changed', 'conflict');
export const showIsFree = defineError('buyer.show_is_free', 'invalid');
export const noRoomForBuyers = defineError('buyer.no_room', 'limit_reached');
export const tooManyInvited = defineError('buyer.too_many_invited', 'too_many');
/** Only a monthly subscription that is paid and renews. */
export const notPausable = defineError('billing.not_pausable', 'conflict');

export const disputeNotFound = defineError('dispute.not_found', 'not_found');
