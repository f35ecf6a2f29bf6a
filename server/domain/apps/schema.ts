import { z } from 'zod';
import { SCOPES } from '~/db/values/api-scopes';
import { fields } from '../../base/fields';
import { APP_LIMITS } from '../../limits/apps';
import { proof } from '../accounts/base/schema';
import { isRedirectUri } from './rules';

/** Our form of a client's id; other texts may not even be stored by Postgres. */
const clientId = z.string().regex(/^app_[0-9a-f]{32}$/, { error: 'app.unknown' });
const parameter = z.string().max(APP_LIMITS.parameterLength, { error: 'field.invalid' });

/** The metadata of RFC 7591 that we use; apps send more. */
export const registerApp = z.object({
  // marks of direction and invisible characters would disguise the sentences around the name
  client_name: z
    .string()
    .transform((name) => name.replace(/\p{Cf}/gu, ''))
    .pipe(fields.line(APP_LIMITS.nameLength))
    .optional(),
  redirect_uris: z
    .array(z.string().refine(isRedirectUri, { error: 'app.redirect_invalid' }))
    .min(1)
    .max(APP_LIMITS.redirectUris),
});

/** The query of the page that asks for consent (RFC 6749 §4.1.1, RFC 7636 and RFC 8707). */
export const appRequest = z.object({
  response_type: parameter.optional(),
  client_id: clientId.optional().catch(undefined),
  redirect_uri: parameter.optional(),
  code_challenge: parameter.optional(),
  code_challenge_method: parameter.optional(),
  scope: parameter.optional(),
  resource: parameter.optional(),
  state: z.string().max(APP_LIMITS.stateLength, { error: 'field.invalid' }).optional(),
});

export const connectApp = appRequest.extend({
  creatorId: fields.id(),
  granted: z.array(z.enum(SCOPES)).max(SCOPES.length),
  ...proof,
});

export const exchangeCode = z.object({
  grant_type: z.literal('authorization_code'),
  client_id: clientId,
  code: parameter,
  redirect_uri: parameter,
  code_verifier: parameter,
  resource: parameter.optional(),
});

export const refreshTokens = z.object({
  grant_type: z.literal('refresh_token'),
  client_id: clientId,
  refresh_token: parameter,
  scope: parameter.optional(),
  resource: parameter.optional(),
});

export const revokeToken = z.object({ token: parameter, client_id: clientId });

export const findConnection = z.object({ id: fields.id() });

export type RegisterApp = z.infer<typeof registerApp>;
export type AppRequest = z.infer<typeof appRequest>;
export type ConnectApp = z.infer<typeof connectApp>;
export type ExchangeCode = z.infer<typeof exchangeCode>;
export type RefreshTokens = z.infer<typeof refreshTokens>;
export type RevokeToken = z.infer<typeof revokeToken>;
export type FindConnection = z.infer<typeof findConnection>;
