import { X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hostBusy } from '../adapters/feed-fetcher/errors';
import { AppError } from '../base/errors';
import { wholeSeconds } from '../base/time';
import { RejectedReport } from '../bounces/mail-event';
import { INBOUND_LIMITS } from '../limits/newsletter';
import type { Runtime } from '../runtime/runtime';

/**
 * The certificates with which SNS signs, from addresses of Amazon that the caller has checked. Anyone can name many
 * such addresses, so only few are fetched in a minute. @throws RejectedReport, fetch.*
 */
export function snsCertificates({ ports, now }: Pick<Runtime, 'ports' | 'now'>): (url: string) => Promise<string> {
  const kept = new LRUCache<string, Promise<string>>({
    max: INBOUND_LIMITS.certificates,
    ttl: INBOUND_LIMITS.certificateKept,
  });
  let window = { start: 0, fetched: 0 };
  async function fetchCertificate(url: string): Promise<string> {
    const request = { url, maxBytes: INBOUND_LIMITS.certificateBytes, stopsAt: () => true };
    const answer = await ports.fetcher.fetch(request).catch((error: unknown) => {
      if (error instanceof AppError && error.kind === 'invalid') throw new RejectedReport('no certificate');
      throw error;
    });
    const pem = answer.unchanged ? '' : answer.bytes.toString();
    if (!isCertificate(pem)) throw new RejectedReport('no certificate at this address');
    return pem;
  }
  return (url) => {
    const known = kept.get(url);
    if (known) return known;
    const time = now().getTime();
    if (time - window.start > INBOUND_LIMITS.certificateWindow) window = { start: time, fetched: 0 };
    window.fetched += 1;
    if (window.fetched > INBOUND_LIMITS.certificates)
      return Promise.reject(
        hostBusy({ host: new URL(url).host, seconds: wholeSeconds(INBOUND_LIMITS.certificateWindow) }),
      );
    const fetching = fetchCertificate(url);
    kept.set(url, fetching);
    // Amazon may be away: the next report tries again
    fetching.catch(() => kept.delete(url));
    return fetching;
  };
}

function isCertificate(pem: string): boolean {
  try {
    return Boolean(new X509Certificate(pem));
  } catch {
    return false;
  }
}
