import type { z } from 'zod';
import { isProduction, type processShape } from './process';
import { SettingError } from './setting-error';
import { flag, text } from './setting-types';

/** They are sent in headers, addresses and feeds: a space or a quote is left over from copying. */
const credential = text.regex(/^[\w.~+/=-]{1,500}$/, 'must be as Spotify shows it, without spaces and quotes');

export const spotifyShape = {
  SPOTIFY_CLIENT_ID: credential.optional(),
  SPOTIFY_CLIENT_SECRET: credential.optional(),
  SPOTIFY_PARTNER_ID: credential.optional(),
  SPOTIFY_TEST_CONTENT: flag.default(false),
  SPOTIFY_DELIVERY_TOKEN: credential.optional(),
};
type SpotifyValues = z.infer<z.ZodObject<typeof spotifyShape & typeof processShape>>;

/** An app that Spotify has allow-listed for Open Access, with the partner id that Spotify has given to it. */
export type SpotifyContract = {
  clientId: string;
  clientSecret: string;
  partnerId: string;
  /** Shows are published for testers only. */
  isTest: boolean;
  /** Of the Podcast Delivery API. If null, creators submit their feeds by hand. */
  deliveryToken: string | null;
};
/** `sandbox`: the local replacement, never in production. Null if Spotify is not offered. */
export type SpotifySettings = SpotifyContract | 'sandbox' | null;

const CONTRACT = ['SPOTIFY_CLIENT_ID', 'SPOTIFY_CLIENT_SECRET', 'SPOTIFY_PARTNER_ID'] as const;

/** @throws SettingError for a part of a contract */
export function spotifySettings(values: SpotifyValues): SpotifySettings {
  const { SPOTIFY_CLIENT_ID: clientId, SPOTIFY_CLIENT_SECRET: clientSecret, SPOTIFY_PARTNER_ID: partnerId } = values;
  const deliveryToken = values.SPOTIFY_DELIVERY_TOKEN ?? null;
  if (clientId && clientSecret && partnerId)
    return { clientId, clientSecret, partnerId, isTest: values.SPOTIFY_TEST_CONTENT, deliveryToken };
  const missing = CONTRACT.filter((name) => !values[name]);
  if (missing.length < CONTRACT.length || deliveryToken)
    throw new SettingError(`${missing.join(' and ')} must be set: without it, Spotify accepts no call`);
  return isProduction(values) ? null : 'sandbox';
}
