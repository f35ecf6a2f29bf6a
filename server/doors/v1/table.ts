import { episodeCalls } from './table/episodes';
import { importCalls } from './table/imports';
import { insertionCalls } from './table/insertions';
import { couponCalls, moneyCalls } from './table/money';
import { editionCalls } from './table/newsletter';
import { contactCalls, subscriberCalls } from './table/people';
import { showCalls } from './table/shows';
import { statisticsCalls } from './table/statistics';
import { webhookCalls } from './table/webhooks';
import type { V1Call } from './v1-call';

/** Every call of the API: its path, its procedure, its scope and its view. Each resource has its rows in table/. */
export const V1_TABLE: V1Call[] = [
  ...showCalls,
  ...episodeCalls,
  ...subscriberCalls,
  ...contactCalls,
  ...editionCalls,
  ...couponCalls,
  ...moneyCalls,
  ...statisticsCalls,
  ...importCalls,
  ...insertionCalls,
  ...webhookCalls,
];
