import { defineError } from '../../../base/errors';

export const emailTaken = defineError('account.email_taken', 'invalid', { field: 'email' });
export const wrongCredentials = defineError('account.wrong_credentials', 'invalid');
/** Shown only to a person who has proven that they own the account. */
export const accountSuspended = defineError('account.suspended', 'forbidden');
export const wrongPassword = defineError('account.wrong_password', 'invalid', { field: 'currentPassword' });
/** Used by the form that confirms who is using a session. */
export const wrongConfirmation = defineError('account.wrong_password', 'invalid', { field: 'confirmationPassword' });
export const secondFactorRequired = defineError('account.second_factor_required', 'invalid', { field: 'code' });
export const wrongCode = defineError('account.wrong_code', 'invalid', { field: 'code' });
export const logInExpired = defineError('account.log_in_expired', 'expired');
export const confirmationRequired = defineError('account.confirmation_required', 'conflict');
export const authenticatorExists = defineError('account.authenticator_exists', 'conflict');
export const passkeyRejected = defineError('account.passkey_rejected', 'invalid');
export const passkeyExists = defineError('account.passkey_exists', 'conflict');
export const passkeyNotFound = defineError('account.passkey_not_found', 'conflict');
/** The user would remove the last way to log in to an account without a password. */
export const passkeyNeeded = defineError('account.passkey_needed', 'conflict');
export const tooManyPasskeys = defineError('account.passkeys_full', 'conflict');
export const linkExpired = defineError('account.link_expired', 'expired');
/** The link proves an address for an account that this session does not belong to. */
export const linkOfOtherAccount = defineError('account.link_of_other_account', 'conflict');
export const userNotFound = defineError('account.not_found', 'not_found');
export const tooYoung = defineError('account.too_young', 'invalid', { field: 'birthDate' });
export const birthDateRequired = defineError('account.birth_date_required', 'invalid', { field: 'birthDate' });
export const parentalPermissionRequired = defineError('account.parental_permission_required', 'invalid', {
  field: 'parentalPermission',
});
/** A buyer of unknown age must confirm their age before buying. */
export const adultOrPermissionRequired = defineError('account.adult_or_permission_required', 'invalid', {
  field: 'adult',
});
export const passwordMissing = defineError('account.password_missing', 'invalid', { field: 'currentPassword' });
/** Bank transfers to creators are SEPA transfers. */
export const ibanOutsideSepa = defineError('account.iban_outside_sepa', 'invalid', { field: 'iban' });
export const ibanInvalid = defineError('account.iban_invalid', 'invalid', { field: 'iban' });
export const taxNumberInvalid = defineError('account.tax_number_invalid', 'invalid', { field: 'taxNumber' });
export const countryRequired = defineError('account.country_required', 'invalid', { field: 'country' });
/** The login at the other service took too long, was used before, or began in another browser. */
export const identityExpired = defineError('identity.expired', 'expired');
/** The answer came from another service than the login began with (RFC 9700, mix-up). */
export const identityMixedUp = defineError('identity.mixed_up', 'invalid');
/** An account has this address, but the provider does not vouch for it. */
export const unverifiedThere = defineError('identity.unverified_there', 'conflict');
/** An account has this address, but its owner has not verified it: another person may have signed up with it. */
export const unverifiedHere = defineError('identity.unverified_here', 'conflict');
export const identityTaken = defineError('identity.taken', 'conflict');
export const otherIdentityConnected = defineError('identity.other_connected', 'conflict');
export const onlyWayToLogIn = defineError('identity.only_way', 'conflict');
export const wrongAddress = defineError('account.wrong_address', 'invalid', { field: 'address' });

export const pageNotClaimed = defineError('account.page_not_claimed', 'conflict');
export const emailNotVerified = defineError('account.email_not_verified', 'forbidden');
/** An address that is not verified may belong to another person, so it gets few emails. */
export const enoughVerificationEmails = defineError('account.enough_verification_emails', 'too_many');
export const emailCodeWrong = defineError('account.email_code_wrong', 'invalid', { field: 'code' });
/** Also after too many wrong codes. */
export const emailCodeExpired = defineError('account.email_code_expired', 'invalid', { field: 'code' });
export const exportedToday = defineError('account.exported_today', 'too_many');
export const exportExpired = defineError('account.export_expired', 'expired');
