import { defineError } from '../../base/errors';

/** Its text is the specification's (§8). */
export const belowThreshold = defineError('payout.below_threshold', 'invalid');
export const alreadyRequested = defineError('payout.already_requested', 'conflict');
export const addressMissing = defineError('payout.address_missing', 'invalid');
/** Of another creator, too. */
export const payoutNotFound = defineError('payout.not_found', 'not_found');
export const paperNotFound = defineError('payout.paper_not_found', 'not_found');
/** For the operator, as the two after it. */
export const wrongState = defineError('payout.wrong_state', 'conflict');
export const inTransferFile = defineError('payout.in_transfer_file', 'conflict');
export const transferFileUsed = defineError('payout.transfer_file_used', 'conflict');

export const connectingUnavailable = defineError('payout.connecting_unavailable', 'conflict');
export const connectingExpired = defineError('payout.connecting_expired', 'expired');
export const connectingDenied = defineError('payout.connecting_denied', 'conflict');
export const accountConnected = defineError('payout.account_connected', 'conflict');
/** By another creator. */
export const accountInUse = defineError('payout.account_in_use', 'conflict');
/** A disconnection takes some minutes. */
export const accountLeaving = defineError('payout.account_leaving', 'conflict');
export const accountNotConnected = defineError('payout.account_not_connected', 'conflict');

export const creatorUnknown = defineError('payout.creator_unknown', 'not_found');
