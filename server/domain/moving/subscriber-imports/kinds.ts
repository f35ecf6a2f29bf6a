import type { LineFault } from '~/db/values/subscriber-imports';

/** One line of a file, with its readable values. */
export type SubscriberLine = {
  email: string | null;
  name: string;
  customerId: string | null;
  subscriptionId: string | null;
  priceMinor: number | null;
  /** Any currency that the file names, in lower case. */
  currency: string | null;
  every: 'month' | 'year' | null;
  renewsAt: Date | null;
  startedAt: Date | null;
  /** The subscription's state in the file. */
  hasEnded: boolean;
  feedUrl: string | null;
  /** The value that could not be read. */
  fault: LineFault | null;
};
