import { defineError } from '../../errors';

export const emailTaken = defineError('account.email_taken', 'invalid', { field: 'email' });
export const wrongCredentials = defineError('account.wrong_credentials', 'invalid');
export const wrongPassword = defineError('account.wrong_password', 'invalid', { field: 'currentPassword' });
/** Of the form that confirms who is using a session. */
export const wrongConfirmation = defineError('account.wrong_password', 'invalid', { field: 'confirmationPassword' });
export const secondFactorRequired = defineError('account.second_factor_required', 'invalid', { field: 'code' });
export const wrongCode = defineError('account.wrong_code', 'invalid', { field: 'code' });
export const logInExpired = defineError('account.log_in_expired', 'expired');
export const confirmationRequired = defineError('account.confirmation_required', 'conflict');
export const authenticatorExists = defineError('account.authenticator_exists', 'conflict');
export const passkeyRejected = defineError('account.passkey_rejected', 'invalid');
export const passkeyExists = defineError('account.passkey_exists', 'conflict');
export const passkeyNotFound = defineError('account.passkey_not_found', 'conflict');
export const tooManyPasskeys = defineError('account.passkeys_full', 'conflict');
export const linkExpired = defineError('account.link_expired', 'expired');
export const userNotFound = defineError('account.not_found', 'not_found');
export const tooYoung = defineError('account.too_young', 'invalid', { field: 'birthDate' });
export const birthDateRequired = defineError('account.birth_date_required', 'invalid', { field: 'birthDate' });
export const parentalPermissionRequired = defineError('account.parental_permission_required', 'invalid', {
  field: 'parentalPermission',
});
export const passwordMissing = defineError('account.password_missing', 'invalid', { field: 'currentPassword' });
export const ibanInvalid = defineError('account.iban_invalid', 'invalid', { field: 'iban' });
export const taxNumberInvalid = defineError('account.tax_number_invalid', 'invalid', { field: 'taxNumber' });
export const countryRequired = defineError('account.country_required', 'invalid', { field: 'country' });
export const wrongAddress = defineError('account.wrong_address', 'invalid', { field: 'address' });

export const pageNotClaimed = defineError('account.page_not_claimed', 'conflict');
export const emailNotVerified = defineError('account.email_not_verified', 'forbidden');
