import type { ServerResponse } from 'node:http';
import { OLD_FEEDS_PATH } from '../../base/public-paths';
import { findByOldFeed } from '../../domain/moving/subscriber-imports/old-addresses';
import { type HostRules, hostName, isForeignHost, isValidHost, writtenHost } from '../../http/host';
import type { NodeHandler } from '../../http/listener';
import { NO_PAGE_HEADERS } from '../../http/security';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../limits/moving';
import type { Ctx } from '../../runtime/ctx';
import { type Runtime, systemCtx } from '../../runtime/runtime';
import { noteRoute } from '../../watching/observed-response';

/** No cache may keep the target of a listener's old address, because the listener can replace the new address. */
const HEADERS = {
  ...NO_PAGE_HEADERS,
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
};

/**
 * Redirects (301) the addresses of private feeds at former hosts to the new ones, so that podcast apps switch by
 * themselves: at `/old-feeds/{host}{path}`, where the former host redirects, and at the former domain itself, if the
 * creator has pointed it here. Runs before unknown hosts are rejected.
 */
export function oldFeedsDoor(runtime: Runtime, rules: HostRules): NodeHandler {
  const ctx = systemCtx(runtime, 'old feeds');
  return ({ method, headers, url = '/' }, res) => {
    if (method !== 'GET' && method !== 'HEAD') return false;
    const written = writtenHost(headers, rules.trustProxy);
    // first, because a known host name counts as valid from then on
    if (!isValidHost(written)) return false;
    const host = hostName(written);
    const isForeign = isForeignHost(rules, host);
    if (!isForeign && !url.startsWith(OLD_FEEDS_PATH)) return false;
    const address = isForeign ? host + url : url.slice(OLD_FEEDS_PATH.length);
    return redirectFeed(ctx, { address, isForeign, res });
  };
}

type Request = { address: string; isForeign: boolean; res: ServerResponse };

/** At a foreign host, other addresses than feeds are rejected like every request there. */
async function redirectFeed(ctx: Ctx, { address, isForeign, res }: Request): Promise<boolean> {
  const isLong = address.length > SUBSCRIBER_IMPORT_LIMITS.urlLength;
  const found = isLong ? null : await findByOldFeed(ctx, `https://${address}`);
  if (found === null && isForeign) return false;
  noteRoute(res, '/old-feeds/*');
  if (found === null || found === 'gone') res.writeHead(found ? 410 : 404, HEADERS).end('There is no such feed.\n');
  else res.writeHead(301, { ...HEADERS, location: found }).end();
  return true;
}
