import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DAYS, HOURS } from '~/server/base/time';
import { DELETION_LIMITS } from '~/server/limits/accounts';
import { AFFILIATE_LIMITS } from '~/server/limits/affiliates';
import { BILLING_LIMITS, GIFT_LIMITS, OVERDUE_LIMITS } from '~/server/limits/billing';
import { DONATION_LIMITS } from '~/server/limits/donations';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import { AUDIO_LIMITS, CONVERSION_LIMITS, COVER_LIMITS } from '~/server/limits/media';
import { REDIRECT_LIMITS } from '~/server/limits/moving';
import { AUTOMATION_LIMITS } from '~/server/limits/newsletter';
import { PAYOUT_LIMITS } from '~/server/limits/payouts';
import { PLANS, TRIAL_LIMITS } from '~/server/limits/plans';
import { PRODUCT_LIMITS } from '~/server/limits/products';
import { MEGABYTES } from '~/server/limits/sizes';

const textOf = (file: string) => readFileSync(`content/en/${file}.md`, 'utf8');
const [month = 0, quarter = 0, year = 0] = GIFT_LIMITS.months;
const { usualLoudness } = EPISODE_LIMITS;

test.each([
  ['help/earn-as-an-affiliate', `**Pending** for ${AFFILIATE_LIMITS.pending / DAYS(1)} days`],
  ['help/earn-as-an-affiliate', `the ${AFFILIATE_LIMITS.remembered / DAYS(1)} days were over`],
  ['questions/start-cost-to-start', `up to ${PLANS.FREE.limits.freeEpisodes} published episodes`],
  ['questions/start-cost-to-start', `Pro for ${TRIAL_LIMITS.days} days`],
  ['questions/start-what-you-need', `${COVER_LIMITS.coverMinPixels} × ${COVER_LIMITS.coverMinPixels} pixels`],
  ['questions/publish-file-formats', `up to ${AUDIO_LIMITS.statedBytes / MEGABYTES} MB`],
  ['questions/publish-file-formats', `up to ${CONVERSION_LIMITS.hours} hours`],
  ['questions/publish-correct-an-episode', `restored for ${EPISODE_LIMITS.restorable / DAYS(1)} days`],
  [
    'questions/sell-donations',
    `from ${DONATION_LIMITS.minMinor / 100} to ${DONATION_LIMITS.maxMinor / 100} in your currency`,
  ],
  [
    'questions/sell-donations',
    `fee is ${PLANS.FREE.commission.basisPoints / 100} % plus 0.${PLANS.FREE.commission.fixedMinor}`,
  ],
  [
    'questions/sell-donations',
    `it is ${PLANS.BASIC.commission.basisPoints / 100} % plus 0.${PLANS.BASIC.commission.fixedMinor}`,
  ],
  ['questions/sell-trials-coupons-gifts', `up to ${PRODUCT_LIMITS.trialDays} free days`],
  ['questions/sell-trials-coupons-gifts', `${month}, ${quarter} or ${year} months`],
  ['questions/paid-when', `${PAYOUT_LIMITS.pending / DAYS(1)} days after the payment`],
  ['questions/paid-when', `more than ${PAYOUT_LIMITS.thresholdMinor / 100} euros or dollars`],
  ['questions/listen-card-declined', `listen for ${BILLING_LIMITS.grace / DAYS(1)} more days`],
  ['questions/listen-card-declined', `after ${OVERDUE_LIMITS.end} days`],
  ['questions/data-leave', `for ${REDIRECT_LIMITS.undo === DAYS(1) ? 'a day' : '?'}`],
  ['questions/data-leave', `for ${DELETION_LIMITS.delay / HOURS(1)} hours`],
  ['pages/hosting', `up to ${AUDIO_LIMITS.statedBytes / MEGABYTES} MB`],
  ['pages/go-paid', `Pro for ${TRIAL_LIMITS.days} days`],
  ['pages/features', `up to ${AUTOMATION_LIMITS.steps === 5 ? 'five' : '?'} emails`],
  ['resources/audio-before-upload', `Between −${-usualLoudness.min} and −${-usualLoudness.max} LUFS`],
  ['resources/cover-picture', `at most ${COVER_LIMITS.maxBytes / MEGABYTES} MB`],
])('%s states “%s”, as the limits do', (file, sentence) => {
  expect(textOf(file)).toContain(sentence);
});

/** Digits of a text, without those of its addresses. */
function figuresOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').split(/^---$/m).slice(2).join('');
  return [...text.replace(/\]\([^)]*\)/g, ']').matchAll(/\d+/g)].map(([digits]) => digits).sort();
}

test.each(['questions', 'pages', 'resources'])('the %s state the same figures in both languages', (folder) => {
  for (const name of readdirSync(`content/en/${folder}`))
    expect([name, figuresOf(`content/es/${folder}/${name}`)]).toEqual([
      name,
      figuresOf(`content/en/${folder}/${name}`),
    ]);
});
