import { AGENT_LIMITS } from '../limits/agents';
import { agentIndex, type Classification } from './classify';

/**
 * The host of the page that a browser came from; a well-known site is one host, such as `facebook.com` for
 * `https://lm.facebook.com/`. Null for other clients, and if the header names no page.
 */
export function referrerHost(referrer: string | undefined, kind: Classification['kind']): string | null {
  if (kind !== 'browser' && kind !== 'app') return null;
  const host = hostOf(referrer);
  return host === null ? null : (agentIndex().site(host)?.hosts[0] ?? host);
}

/** The name of a site; the host itself if it is not well known. */
export const referrerName = (host: string): string => agentIndex().site(host)?.name ?? host;

/** Whether the header names a site that only machines come from. */
export function isBadReferrer(referrer: string | undefined): boolean {
  const host = hostOf(referrer);
  return host !== null && agentIndex().isBadSite(host);
}

function hostOf(referrer: string | undefined): string | null {
  if (!referrer || referrer.length > AGENT_LIMITS.referrerLength) return null;
  const url = urlOf(referrer);
  if (url === null || !/^(?:https?|android-app):$/.test(url.protocol)) return null;
  const host = url.hostname
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '');
  return /^[a-z0-9._-]{1,253}$/.test(host) ? host : null;
}

/** Not with URL.canParse: in Node.js 20, once it is compiled, it returns false for Latin-1 characters such as ñ. */
function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
