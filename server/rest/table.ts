import type { Call } from './call';
import { accountCalls } from './table/accounts';
import { couponCalls } from './table/coupons';
import { episodeCalls } from './table/episodes';
import { listeningCalls } from './table/listening';
import { mediaCalls } from './table/media';
import { notificationCalls } from './table/notifications';
import { pageCalls } from './table/pages';
import { payoutCalls } from './table/payouts';
import { productCalls } from './table/products';
import { referenceCalls } from './table/reference';
import { rssImportCalls } from './table/rss-import';
import { statisticsCalls } from './table/statistics';
import { transcriptionCalls } from './table/transcription';

/**
 * Every call of the legacy API: its path, its procedure and its serializer. Each room lists its calls in
 * table/<room>.ts.
 */
export const TABLE: Call[] = [
  ...accountCalls,
  ...notificationCalls,
  ...referenceCalls,
  ...mediaCalls,
  ...productCalls,
  ...episodeCalls,
  ...listeningCalls,
  ...pageCalls,
  ...couponCalls,
  ...payoutCalls,
  ...rssImportCalls,
  ...statisticsCalls,
  ...transcriptionCalls,
];
