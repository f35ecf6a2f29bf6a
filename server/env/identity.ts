import type { z } from 'zod';
import { isProduction, type processShape } from './process';
import { SettingError } from './setting-error';
import { baseAddress, text } from './setting-types';

export const identityShape = {
  GOOGLE_CLIENT_ID: text.optional(),
  GOOGLE_CLIENT_SECRET: text.optional(),
  GOOGLE_ISSUER: baseAddress.default('https://accounts.google.com'),
  FACEBOOK_APP_ID: text.optional(),
  FACEBOOK_APP_SECRET: text.optional(),
  FACEBOOK_AUTHORIZE_URL: baseAddress.default('https://www.facebook.com/v26.0/dialog/oauth'),
  FACEBOOK_TOKEN_URL: baseAddress.default('https://graph.facebook.com/v26.0/oauth/access_token'),
  FACEBOOK_GRAPH_URL: baseAddress.default('https://graph.facebook.com/v26.0'),
};
type IdentityValues = z.infer<z.ZodObject<typeof identityShape & typeof processShape>>;

export type GoogleSettings = { clientId: string; clientSecret: string; issuer: string };
export type FacebookSettings = {
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
  graphUrl: string;
};
/**
 * `sandbox`: the local replacement, which lets any visitor log in as any person; never in production. Null if login
 * with the provider is not offered.
 */
export type IdentitySettings = {
  google: GoogleSettings | 'sandbox' | null;
  facebook: FacebookSettings | 'sandbox' | null;
};

/** @throws SettingError for half of a pair, or for plain HTTP to another machine */
export function identitySettings(values: IdentityValues): IdentitySettings {
  const google = credentials(values, 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET');
  const facebook = credentials(values, 'FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET');
  for (const name of ['GOOGLE_ISSUER', 'FACEBOOK_AUTHORIZE_URL', 'FACEBOOK_TOKEN_URL', 'FACEBOOK_GRAPH_URL'] as const)
    requireEncryption(name, values);
  const fallback = isProduction(values) ? null : 'sandbox';
  return {
    google: google ? { ...google, issuer: values.GOOGLE_ISSUER } : fallback,
    facebook: facebook
      ? {
          ...facebook,
          authorizeUrl: values.FACEBOOK_AUTHORIZE_URL,
          tokenUrl: values.FACEBOOK_TOKEN_URL,
          graphUrl: values.FACEBOOK_GRAPH_URL,
        }
      : fallback,
  };
}

type Names = keyof typeof identityShape;

function credentials(values: IdentityValues, idName: Names, secretName: Names) {
  const [clientId, clientSecret] = [values[idName], values[secretName]];
  if (clientId && clientSecret) return { clientId, clientSecret };
  if (clientId) throw new SettingError(`${secretName} must be set when ${idName} is`);
  if (clientSecret) throw new SettingError(`${idName} must be set when ${secretName} is`);
  return null;
}

/** Codes and tokens must not cross a network unencrypted. */
function requireEncryption(name: Names, values: IdentityValues): void {
  const url = new URL(values[name] ?? '');
  const isThisMachine = /^(?:.+\.)?localhost$|^127\.0\.0\.1$|^\[::1\]$/.test(url.hostname);
  if (url.protocol === 'https:' || (isThisMachine && !isProduction(values))) return;
  throw new SettingError(`${name} must begin with https://`);
}
