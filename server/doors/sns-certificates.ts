import { X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hostBusy } from '../adapters/feed-fetcher/errors';
import { AppError } from '../base/errors';
import { wholeSeconds } from '../base/time';
import { RejectedReport } from '../bounces/mail-event';
import type { Certificate } from '../bounces/ses-webhook';
import { INBOUND_LIMITS } from '../limits/newsletter';
import type { Runtime } from '../runtime/runtime';

/**
 * The certificates with which SNS signs, from addresses of Amazon that the caller has checked. Anyone can name many
 * such addresses, so only few are fetched in a minute, and those that have verified nothing replace none that has.
 * @throws RejectedReport, fetch.*
 */
export function snsCertificates({ ports, now }: Pick<Runtime, 'ports' | 'now'>): (url: string) => Promise<Certificate> {
  const { certificates: max, certificateKept, certificateWindow } = INBOUND_LIMITS;
  const verified = new LRUCache<string, string>({ max, ttl: certificateKept });
  const fetched = new LRUCache<string, Promise<string>>({ max, ttl: certificateKept });
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
  function fetchOnce(url: string): Promise<string> {
    const known = fetched.get(url);
    if (known) return known;
    const time = now().getTime();
    if (time - window.start > certificateWindow) window = { start: time, fetched: 0 };
    window.fetched += 1;
    if (window.fetched > max)
      return Promise.reject(hostBusy({ host: new URL(url).host, seconds: wholeSeconds(certificateWindow) }));
    const fetching = fetchCertificate(url);
    fetched.set(url, fetching);
    // Amazon may be away: the next report tries again
    fetching.catch(() => fetched.delete(url));
    return fetching;
  }
  return async (url) => {
    const pem = verified.get(url) ?? (await fetchOnce(url));
    return { pem, keep: () => void (verified.has(url) || verified.set(url, pem)) };
  };
}

function isCertificate(pem: string): boolean {
  try {
    return Boolean(new X509Certificate(pem));
  } catch {
    return false;
  }
}
