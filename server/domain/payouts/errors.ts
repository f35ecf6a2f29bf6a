import { defineError } from '../../base/errors';

/** The text comes from the specification (§8). */
export const belowThreshold = defineError('payout.below_threshold', 'invalid');
export const alreadyRequested = defineError('payout.already_requested', 'conflict');
export const addressMissing = defineError('payout.address_missing', 'invalid');
/** Also thrown for another creator's payout. */
export const payoutNotFound = defineError('payout.not_found', 'not_found');
export const paperNotFound = defineError('payout.paper_not_found', 'not_found');
/** This error and the next two are for the operator. */
export const wrongState = defineError('payout.wrong_state', 'conflict');
export const inTransferFile = defineError('payout.in_transfer_file', 'conflict');
export const transferFileUsed = defineError('payout.transfer_file_used', 'conflict');

export const connectingUnavailable = defineError('payout.connecting_unavailable', 'conflict');
export const connectingExpired = defineError('payout.connecting_expired', 'expired');
export const connectingDenied = defineError('payout.connecting_denied', 'conflict');
export const accountConnected = defineError('payout.account_connected', 'conflict');
/** Another creator uses the account. */
export const accountInUse = defineError('payout.account_in_use', 'conflict');
/** The account is being disconnected, which takes some minutes. */
export const accountLeaving = defineError('payout.account_leaving', 'conflict');
export const accountNotConnected = defineError('payout.account_not_connected', 'conflict');

export const creatorUnknown = defineError('payout.creator_unknown', 'not_found');
