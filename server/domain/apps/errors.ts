import { defineError } from '../../base/errors';

// shown on the page that asks for consent
export const unknownApp = defineError('app.unknown', 'not_found');
export const redirectMismatch = defineError('app.redirect_mismatch', 'invalid');
export const requestNotSupported = defineError('app.request_not_supported', 'invalid');
export const challengeRequired = defineError('app.challenge_required', 'invalid');
export const unknownResource = defineError('app.unknown_resource', 'invalid');
export const noScopes = defineError('app.no_scopes', 'invalid');
export const appLimitReached = defineError('app.limit_reached', 'conflict');
export const connectionNotFound = defineError('app.connection_not_found', 'not_found');

// answered to apps, in the words of RFC 6749 and RFC 7591
export const invalidGrant = defineError('app.invalid_grant', 'invalid');
export const invalidScope = defineError('app.invalid_scope', 'invalid');
export const invalidClient = defineError('app.invalid_client', 'invalid');
export const invalidTarget = defineError('app.invalid_target', 'invalid');
