import { z } from 'zod';
import { LANGUAGES } from '~/locales/languages';
import { CONSENTS } from '../../../base/consent';
import { fields } from '../../../base/fields';
import { isTimeZone } from '../../../base/time';
import {
  ACCOUNT_LIMITS,
  BILLING_LIMITS,
  IDENTITY_LIMITS,
  PASSKEY_LIMITS,
  SECOND_FACTOR_LIMITS,
} from '../../../limits/accounts';
import { OPTIONAL_TOPICS, type OptionalTopic } from '../../notifications/kinds';
import { isCountry } from '../../reference/rules';
import { SIGN_UP_REASONS } from './kinds';
import { containsLink } from './rules';

const password = z
  .string({ error: 'account.password_short' })
  .min(ACCOUNT_LIMITS.passwordMin, { error: 'account.password_short' })
  .max(ACCOUNT_LIMITS.passwordMax, { error: 'field.too_long' });

/** Spec §5: only letters, digits and full stops before the @, so that aliases can't be used to renew a trial. */
export const signUpEmail = fields
  .email()
  .refine((email) => /^[a-z0-9.]+@/.test(email), { error: 'account.email_local_part' });

const country = z
  .string({ error: 'account.country_required' })
  .trim()
  .toUpperCase()
  .min(1, { error: 'account.country_required' })
  .refine((code) => code === '' || isCountry(code), { error: 'field.invalid' });

const birthDate = fields
  .day()
  .refine((day) => day >= ACCOUNT_LIMITS.oldestBirthDate, { error: 'account.birth_date_required' });

/** What a user states about their age if it is unknown (ages.ts). */
export const statedAge = {
  birthDate: birthDate.optional(),
  parentalPermission: fields.flag().optional(),
};

/** Fields that every new account needs, however it logs in. */
const newPerson = {
  name: fields.line(ACCOUNT_LIMITS.nameLength, 'account.name_required'),
  email: signUpEmail,
  country,
  language: z.enum(LANGUAGES).optional(),
  terms: fields
    .flag()
    .default(false)
    .refine((accepted) => accepted, { error: 'account.terms_required' }),
  birthDate: birthDate.optional(),
  /** The page that the person came from, to which the verification email leads back. Ignored if it is too long. */
  next: z.string().max(IDENTITY_LIMITS.nextLength).optional().catch(undefined),
};

export const signUp = z
  .object({
    ...newPerson,
    password,
    /** Only legacy clients send it; our form shows the password instead of asking for it twice. */
    passwordConfirmation: z.string().optional(),
  })
  .refine((input) => input.passwordConfirmation === undefined || input.passwordConfirmation === input.password, {
    error: 'account.passwords_differ',
    path: ['passwordConfirmation'],
  });

/** A code of an authenticator app, or a recovery code; people type both with spaces. */
export const code = z.string({ error: 'account.second_factor_required' }).max(SECOND_FACTOR_LIMITS.codeLength, {
  error: 'account.wrong_code',
});
const requiredCode = code.refine((text) => text.trim() !== '', { error: 'account.second_factor_required' });
const passkeyId = z.string({ error: 'field.invalid' }).min(1).max(PASSKEY_LIMITS.idLength, { error: 'field.invalid' });

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const logIn = z.object({
  email: fields.email(),
  password: z
    .string({ error: 'account.password_required' })
    .min(1, { error: 'account.password_required' })
    .max(ACCOUNT_LIMITS.passwordMax, { error: 'field.too_long' }),
  /** For accounts with a second factor; our form asks for the code on a separate page. */
  code: code.optional(),
});

export const finishLogIn = z.object({ code: requiredCode });
/** The account needs one of the two. */
export const confirmIdentity = z.object({
  code: code.default(''),
  confirmationPassword: z.string().max(ACCOUNT_LIMITS.passwordMax, { error: 'field.too_long' }).default(''),
});
export const confirmAuthenticator = z.object({ code: requiredCode });

/** The browser's answer for a passkey; the WebAuthn library checks the rest. */
const passkeyResponse = z.looseObject({ id: z.string().min(1).max(PASSKEY_LIMITS.idLength) });
const answer = { token: z.string().min(1).max(200), response: passkeyResponse };
export const addPasskey = z.object(answer);
export const answerPasskey = z.object(answer);
/** The form sends the answer as JSON. */
export const logInWithPasskey = z.object({
  token: answer.token,
  response: z.union([
    passkeyResponse,
    z.string().max(PASSKEY_LIMITS.responseLength).transform(parsedJson).pipe(passkeyResponse),
  ]),
});
export const renamePasskey = z.object({ id: passkeyId, name: fields.line(PASSKEY_LIMITS.nameLength) });
export const deletePasskey = z.object({ id: passkeyId });

/** The token of a link in an email. */
const linkToken = z
  .string({ error: 'account.link_expired' })
  .min(1, { error: 'account.link_expired' })
  .max(200, { error: 'account.link_expired' });

export const verifyEmail = z.object({ token: linkToken });
/** People type spaces between the digits. */
export const verifyByCode = z.object({
  code: z
    .string({ error: 'account.email_code_wrong' })
    .max(20, { error: 'account.email_code_wrong' })
    .transform((code) => code.replace(/[\s-]/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, { error: 'account.email_code_wrong' })),
});
export type VerifyByCode = z.infer<typeof verifyByCode>;

export const requestPasswordReset = z.object({ email: fields.email() });
export const resetPassword = z.object({ token: linkToken, password });
export const changePassword = z.object({
  /** Ignored for an account without a password. */
  currentPassword: z.string().max(ACCOUNT_LIMITS.passwordMax, { error: 'field.too_long' }).default(''),
  password,
  /** Of the second factor, if the account has one. */
  code: code.optional(),
});

export const requestEmailChange = z.object({ email: fields.email() });
export const confirmEmailChange = z.object({ token: linkToken, side: fields.oneOf(['old', 'new']) });

/** The id of a session, which is a hash. */
export const endSession = z.object({ id: z.string().regex(/^[0-9a-f]{64}$/, { error: 'field.invalid' }) });

const provider = fields.oneOf(['google', 'facebook']);
export const beginIdentityLogin = z.object({
  provider,
  /** Path to open after the login; the page checks it. */
  next: z.string().max(IDENTITY_LIMITS.nextLength).nullable().default(null),
  /** Connects the account at the provider to the current user's. */
  links: fields.flag().default(false),
});
export const finishIdentityLogin = z.object({
  provider,
  /** Query parameters of the provider's redirect. */
  answer: z.string().max(IDENTITY_LIMITS.answerLength),
});
export const signUpWithIdentity = z.object(newPerson);
export const unlinkIdentity = z.object({ provider });

export const updateAccount = z.strictObject({
  name: fields.line(ACCOUNT_LIMITS.nameLength, 'account.name_required').optional(),
  country: country.optional(),
  language: z.enum(LANGUAGES, { error: 'account.language_required' }).optional(),
  consentsToMarketingEmails: fields.flag().optional(),
  hidePlanLimitBanner: fields.flag().optional(),
  avatarKey: fields.uploadKey().optional(),
  description: fields
    .text(ACCOUNT_LIMITS.descriptionLength)
    // a pipe, because a refinement would also see texts that are too long, in which searching for links takes minutes
    .pipe(z.string().refine((text) => !containsLink(text), { error: 'account.links_not_allowed' }))
    .optional(),
  timeZone: z.string().refine(isTimeZone, { error: 'field.invalid' }).optional(),
});

/** The first-login dialog, with the error keys of spec §5. */
export const completeFirstLogin = z.strictObject({
  country: z
    .string({ error: 'account.countryError' })
    .trim()
    .toUpperCase()
    .refine(isCountry, { error: 'account.countryError' }),
  language: z.enum(LANGUAGES, { error: 'account.podcastLanguageError' }),
  consentsToMarketingEmails: fields.flag().default(false),
});

/** The form asks for proof again before a change that could cost money. */
export const currentPassword = z.string().max(ACCOUNT_LIMITS.passwordMax, { error: 'field.too_long' }).default('');

/** The code of the second factor, or the password if there is no second factor. */
export const proof = { code: code.optional(), currentPassword };

/** billing-details.ts checks the numbers when it stores them. A blank field removes its value. */
export const updatePayoutAddress = z.strictObject({
  iban: fields.text(BILLING_LIMITS.ibanLength).default(''),
  paypalEmail: z
    .string({ error: 'account.paypal_email_invalid' })
    .trim()
    .toLowerCase()
    .max(ACCOUNT_LIMITS.emailLength, { error: 'account.paypal_email_invalid' })
    .refine((email) => email === '' || z.email().safeParse(email).success, { error: 'account.paypal_email_invalid' })
    .default(''),
  currentPassword,
  code: code.optional(),
});

export const updateBillingDetails = z.strictObject({
  taxNumber: fields.text(BILLING_LIMITS.taxNumberLength).default(''),
  billingName: optionalLine(BILLING_LIMITS.nameLength),
  street: optionalLine(BILLING_LIMITS.streetLength),
  postalCode: optionalLine(BILLING_LIMITS.postalCodeLength),
  city: optionalLine(BILLING_LIMITS.cityLength),
});

/** One line of text; empty texts count as missing. */
function optionalLine(max: number) {
  return z.literal('').or(fields.line(max)).default('');
}

const topicFlags = Object.fromEntries(OPTIONAL_TOPICS.map((topic) => [topic, fields.flag().optional()])) as Record<
  OptionalTopic,
  z.ZodOptional<ReturnType<typeof fields.flag>>
>;

/** Which emails the user wants: topics that are not named stay unchanged. */
export const updateNotifications = z.strictObject({ ...topicFlags, marketing: fields.flag().optional() });

export type StatedAge = { birthDate?: string; parentalPermission?: boolean };
export const giveReason = z.object({ reason: fields.oneOf(SIGN_UP_REASONS, 'account.reason_required') });

export const chooseLanguage = z.object({ language: z.enum(LANGUAGES, { error: 'account.language_required' }) });
export const chooseConsent = z.object({ consent: fields.oneOf(CONSENTS) });

/**
 * Proof that the owner makes the request: the second factor, otherwise the password, or the address of an account with
 * neither.
 */
export const requestDeletion = z.object({
  currentPassword: z.string().max(ACCOUNT_LIMITS.passwordMax, { error: 'field.too_long' }).default(''),
  address: z.string().max(ACCOUNT_LIMITS.emailLength, { error: 'field.too_long' }).default(''),
  code: code.default(''),
});
export const undoDeletion = z.object({ token: linkToken });

/** The parts of a signed link to an export. */
export const downloadExport = z.object({
  id: z.uuid(),
  expires: fields.id(),
  signature: z.string().max(100),
});

export type DownloadExport = z.infer<typeof downloadExport>;
export type RequestDeletion = z.infer<typeof requestDeletion>;
export type SignUp = z.infer<typeof signUp>;
export type LogIn = z.infer<typeof logIn>;
export type CompleteFirstLogin = z.infer<typeof completeFirstLogin>;
export type UpdatePayoutAddress = z.infer<typeof updatePayoutAddress>;
export type UpdateBillingDetails = z.infer<typeof updateBillingDetails>;
export type UpdateNotifications = z.infer<typeof updateNotifications>;
export type FinishLogIn = z.infer<typeof finishLogIn>;
export type ConfirmIdentity = z.infer<typeof confirmIdentity>;
export type ConfirmAuthenticator = z.infer<typeof confirmAuthenticator>;
export type AddPasskey = z.infer<typeof addPasskey>;
export type AnswerPasskey = z.infer<typeof answerPasskey>;
export type RenamePasskey = z.infer<typeof renamePasskey>;
export type UpdateAccount = z.infer<typeof updateAccount>;
export type RequestPasswordReset = z.infer<typeof requestPasswordReset>;
export type ResetPassword = z.infer<typeof resetPassword>;
export type ChangePassword = z.infer<typeof changePassword>;
export type RequestEmailChange = z.infer<typeof requestEmailChange>;
export type ConfirmEmailChange = z.infer<typeof confirmEmailChange>;
export type ChooseLanguage = z.infer<typeof chooseLanguage>;
export type ChooseConsent = z.infer<typeof chooseConsent>;
export type NewPerson = Omit<SignUp, 'password' | 'passwordConfirmation'>;
export type BeginIdentityLogin = z.infer<typeof beginIdentityLogin>;
export type FinishIdentityLogin = z.infer<typeof finishIdentityLogin>;
export type SignUpWithIdentity = z.infer<typeof signUpWithIdentity>;
export type GiveReason = z.infer<typeof giveReason>;
export type SignUpReason = GiveReason['reason'];
