import { defineError } from '../../../base/errors';

export const checkoutNotFound = defineError('billing.checkout_not_found', 'not_found');
/** The text comes from the specification (§8). */
export const alreadySubscribed = defineError('billing.already_subscribed', 'conflict');
/** The same for an audio series, which is paid once. */
export const alreadyBought = defineError('billing.already_bought', 'conflict');
export const notForSale = defineError('billing.not_for_sale', 'conflict');

/** The charge would differ from the amount shown. */
export const amountChanged = defineError('billing.amount_changed', 'conflict');
/** Another change of the same plan is still running. */
export const changeRunning = defineError('billing.change_running', 'conflict');
export const planNotOffered = defineError('billing.plan_not_offered', 'conflict');
export const noPlan = defineError('billing.no_plan', 'conflict');
export const planEnding = defineError('billing.plan_ending', 'conflict');
export const paymentOverdue = defineError('billing.payment_overdue', 'conflict');
export const noSavedCard = defineError('billing.no_saved_card', 'conflict');
export const subscriptionNotFound = defineError('billing.subscription_not_found', 'not_found');
/** The subscription shown on a page that was left open has ended. */
export const subscriptionEnded = defineError('billing.subscription_ended', 'conflict');
/** The exact amount or date differs from the one that the subscriber has seen. */
export const changeDiffers = defineError('billing.change_differs', 'conflict');
export const notOfferedYearly = defineError('billing.not_offered_yearly', 'conflict');
export const cardNotFound = defineError('billing.card_not_found', 'not_found');
/** The text comes from the specification (§8). */
export const cardNeeded = defineError('billing.card_needed', 'conflict');
export const ownShow = defineError('billing.own_show', 'conflict');
/** The show's price has changed since the page was shown. The param is the current price. */
export const priceChanged = defineError('billing.price_changed', 'conflict');
/** The params are the lowest and the highest amount. */
export const amountOutOfBounds = defineError('billing.amount_bounds', 'invalid', { field: 'amount' });
export const receiptNotFound = defineError('billing.receipt_not_found', 'not_found');
/** The link was forged, or its subscription has ended. */
export const overdueLinkEnded = defineError('billing.overdue_link_ended', 'expired');
export const overdueLinkInvalid = defineError('billing.overdue_link_invalid', 'expired');

/** The link never existed. */
export const giftNotFound = defineError('gift.not_found', 'not_found');
/** The gift was not redeemed within a year. */
export const giftExpired = defineError('gift.expired', 'expired');
export const giftRefunded = defineError('gift.refunded', 'expired');
export const giftRedeemed = defineError('gift.redeemed', 'conflict');
/** Givers can't redeem their own gift; they pass it on. */
export const ownGift = defineError('gift.own', 'conflict');
/** The user has access by a renewing subscription, or access without an end: the link stays valid. */
export const giftNotNeeded = defineError('gift.not_needed', 'conflict');
export const giftOfOwnShow = defineError('gift.own_show', 'conflict');

/** Also thrown for another creator's show. */
export const buyerNotFound = defineError('buyer.not_found', 'not_found');
export const saleNotFound = defineError('buyer.sale_not_found', 'not_found');
/** The bank takes the money back itself. */
/** The sale was made on a creator's account that is no longer connected. */
export const saleElsewhere = defineError('buyer.sale_elsewhere', 'conflict');
export const saleDisputed = defineError('buyer.sale_disputed', 'conflict');
/** The param is the amount left. */
export const refundTooHigh = defineError('buyer.refund_too_high', 'invalid', { field: 'amount' });
/** The sale was refunded meanwhile, in another window or at the payment provider. */
export const refundChanged = defineError('buyer.refund_changed', 'conflict');
export const showIsFree = defineError('buyer.show_is_free', 'invalid');
export const noRoomForBuyers = defineError('buyer.no_room', 'limit_reached');
/** Another batch of the same creator is running. */
export const batchRunning = defineError('buyer.batch_running', 'too_many');
export const tooManyInvited = defineError('buyer.too_many_invited', 'too_many');
export const tooManyMessages = defineError('buyer.too_many_messages', 'too_many');
export const tooManyToPerson = defineError('buyer.too_many_to_person', 'too_many');
/** The person has stopped the creator's messages, or has not come by themselves. */
export const notAddressable = defineError('buyer.not_addressable', 'conflict');
/** The form was shown again after its message was sent, and has another text or person now. */
export const messageFormUsed = defineError('buyer.message_form_used', 'conflict');
export const messagesLinkInvalid = defineError('buyer.messages_link_invalid', 'invalid');
/** Only monthly subscriptions that are paid and renew can be paused. */
export const notPausable = defineError('billing.not_pausable', 'conflict');

export const disputeNotFound = defineError('dispute.not_found', 'not_found');
export const warningNotFound = defineError('warning.not_found', 'not_found');
