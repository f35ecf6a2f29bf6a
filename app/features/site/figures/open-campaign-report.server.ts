import type { Door } from '~/app/lib/doors.server';

/** Longer tokens are as unknown as others. */
const LONGEST = 100;

/** The report behind the token of the address. */
export const openCampaignReport = ({ api, params }: Door) =>
  api.statistics.campaignReport({ token: (params.token ?? '').slice(0, LONGEST) });

export const REPORT_HEADERS = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'same-origin',
};
