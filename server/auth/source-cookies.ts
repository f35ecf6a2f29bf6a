import type { SignUpSource } from '~/db/schema/accounts';
import { AFFILIATE_COOKIE, readAffiliateCookie } from '../base/affiliate-cookie';
import { SOURCE_LIMITS } from '../limits/accounts';
import { type CookieSettings, cookieWriter, readCookie } from './cookies';

/**
 * The campaign that led here: one of the two cookies of spec §3. The other one, of the affiliate who recommended us, is
 * written when the link is followed (doors/pages/affiliate-links.ts).
 */
export const CAMPAIGN_COOKIE = 'campaign';

const UTM = { utmSource: 'utm_source', utmMedium: 'utm_medium', utmCampaign: 'utm_campaign' } as const;
/** Cheap, because it runs for every request. */
const HAS_SOURCE = /[?&]utm_(?:source|medium|campaign)=/;

export const hasSource = (url: string): boolean => HAS_SOURCE.test(url);

/**
 * Set-Cookie headers for the campaign in a URL; the last one counts. They depend on the URL alone, so a proxy that keeps them with the page never gives a visitor the cookies of another one.
 */
export function sourceCookies(settings: CookieSettings, host: string, url: string): string[] {
  if (!hasSource(url)) return [];
  const query = new URLSearchParams(url.slice(url.indexOf('?')));
  const headers = new Headers();
  const write = cookieWriter(settings, host, headers).source;
  const campaign = new URLSearchParams();
  for (const name of Object.values(UTM)) {
    const value = cleanValue(query.get(name));
    if (value) campaign.set(name, value);
  }
  if (campaign.size > 0) write(CAMPAIGN_COOKIE, campaign.toString());
  return headers.getSetCookie();
}

type Reader = { vault: { fingerprint(text: string, owner: string): string }; now(): Date };

/** The source to store with the registration. The cookies may contain anything. */
export function readSource(header: string | null | undefined, { vault, now }: Reader): SignUpSource | undefined {
  const campaign = new URLSearchParams(readCookie(header, CAMPAIGN_COOKIE) ?? '');
  const found = [
    ['ref', readAffiliateCookie(vault, readCookie(header, AFFILIATE_COOKIE), now())?.code],
    ...Object.entries(UTM).map(([key, name]) => [key, cleanValue(campaign.get(name))]),
  ].filter(([, value]) => value);
  return found.length > 0 ? (Object.fromEntries(found) as SignUpSource) : undefined;
}

/** Without control characters, which Postgres can't store. */
function cleanValue(value: string | null | undefined): string {
  return (value ?? '').toWellFormed().replace(/\p{C}/gu, '').trim().slice(0, SOURCE_LIMITS.length);
}
