import type { Classification } from './classify';
import { isBadReferrer } from './referrers';

/**
 * Why a request is not a listener's (IAB Podcast Measurement 2.3, step 1). Kept apart, so that creators can see the
 * machines.
 */
export type MachineReason = 'bot' | 'data_center' | 'referrer' | 'malformed' | 'prefetch';

type Request = {
  classification: Classification;
  /** The header, as the client sent it. */
  referrer: string | undefined;
  /** Null if the network is not known. */
  network: { isDataCenter: boolean } | null;
};

/** Null for a listener. What a client says of itself counts before what is concluded about it. */
export function machineReason({ classification, referrer, network }: Request): MachineReason | null {
  if (classification.reason) return classification.reason;
  if (isBadReferrer(referrer)) return 'referrer';
  if (isPrefetch(classification, referrer)) return 'prefetch';
  return network?.isDataCenter ? 'data_center' : null;
}

/** Opera on a computer loads the episodes of feeds that its user follows; a listener comes from a page. */
const isPrefetch = ({ kind, app, device }: Classification, referrer: string | undefined): boolean =>
  kind === 'browser' && app === 'opera' && device === 'computer' && !referrer;
