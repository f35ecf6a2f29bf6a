import { z } from 'zod';
import { SWITCHES } from '~/db/values/switches';
import { TAKE_DOWN_GROUNDS } from '~/db/values/take-downs';
import { fields } from '../../base/fields';
import { ANNOUNCEMENT_LIMITS, JOB_LIMITS, OPERATOR_LIMITS } from '../../limits/operators';
import { FEATURED_LIMITS } from '../../limits/products';
import { REPORT_LIMITS } from '../../limits/support';
import { PAYOUT_FILTERS, TAKE_DOWN_TARGETS } from './kinds';

const id = fields.id();
const uuid = z.uuid({ error: 'field.invalid' });
/** The person concerned also reads the reason. */
const reason = fields.line(OPERATOR_LIMITS.reasonLength);
const queue = fields.line(JOB_LIMITS.queueLength);

export const search = z.object({ search: fields.optionalLine(OPERATOR_LIMITS.searchLength).default('') });
export const findRow = z.object({ id });
export const withReason = z.object({ id, reason });
export const listJobs = z.object({ queue: fields.optionalLine(JOB_LIMITS.queueLength).default('') });
export const findJob = z.object({ id: uuid });
export const findQueue = z.object({ queue });
export const findImport = z.object({ id, kind: z.enum(['rss', 'subscribers'], { error: 'field.invalid' }) });
export const findEmail = z.object({ id: uuid });
export const listPayouts = z.object({ status: z.enum(PAYOUT_FILTERS).catch('requested').default('requested') });
export const findPayout = z.object({ id: uuid });

/** The file name as the bank shows it. */
export const FILE_NAME = /^[A-Za-z0-9-]{1,30}$/;
const file = z.string().regex(FILE_NAME, { error: 'field.invalid' });
export const findFile = z.object({ file });
/** `file`: the file of transfers that contains the payout. */
export const reversePayout = z.object({ id: uuid, reason, file: file.optional() });

/** The value of a browser's field, `2026-12-01T18:00`, in UTC. */
const moment = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value) ? `${value}:00Z` : value),
  fields.instant(),
);
const announcementText = fields.line(ANNOUNCEMENT_LIMITS.textLength);
/** `from`: by default now. */
export const publishAnnouncement = z.object({
  textEn: announcementText,
  textEs: announcementText,
  level: fields.oneOf(['info', 'warning']).default('info'),
  link: fields.webAddress(ANNOUNCEMENT_LIMITS.linkLength).default(null),
  from: z.preprocess((value) => (value === '' ? undefined : value), moment.optional()),
  until: moment,
});

/** `creatorIds`: numbers, separated by spaces or commas. Without them, the stored ones stay. */
export const setSwitch = z.object({
  name: z.enum(SWITCHES, { error: 'field.invalid' }),
  percent: fields.whole(0, 100),
  creatorIds: fields
    .optionalLine(OPERATOR_LIMITS.searchLength)
    .transform((text): (string | number)[] => (text ?? '').split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(fields.id()))
    .optional(),
});

/** `answer`: the text for the reporter. */
export const dismissReport = z.object({ id, answer: fields.line(REPORT_LIMITS.answerLength) });
export const listReports = z.object({ isOpen: fields.flag().default(true) });

/** `until`: by default, until an operator removes the show. */
export const featureShow = z.object({
  id,
  position: fields.whole(1, FEATURED_LIMITS.positions),
  until: z.preprocess((value) => (value === '' || value === undefined ? null : value), moment.nullable()),
});

export type PublishAnnouncement = z.infer<typeof publishAnnouncement>;
export const takenDownThing = z.object({ target: z.enum(TAKE_DOWN_TARGETS, { error: 'field.invalid' }), id });
export const takeDownThing = takenDownThing.extend({
  ground: z.enum(TAKE_DOWN_GROUNDS, { error: 'field.invalid' }),
  reason: fields.line(OPERATOR_LIMITS.statementLength),
});

export type TakeDownTarget = (typeof TAKE_DOWN_TARGETS)[number];
export type TakenDownThing = z.infer<typeof takenDownThing>;
export type TakeDownThing = z.infer<typeof takeDownThing>;
export type FindImport = z.infer<typeof findImport>;
