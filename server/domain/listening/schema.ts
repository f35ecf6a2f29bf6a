import { z } from 'zod';
import { fields, listFields } from '../../base/fields';
import { HEARD_LIMITS, POSITION_LIMITS } from '../../limits/listening';
import { PAGE_LIMITS } from '../../limits/paging';
import { KIND_NAMES } from '../products/kinds';

const kind = fields.oneOf(KIND_NAMES).optional();

export const playEpisode = z.object({ id: fields.id(), kind });

const session = z
  .string({ error: 'field.required' })
  .trim()
  .regex(/^[\w.:-]{1,100}$/, { error: 'field.invalid' });

export const startPlaying = z.object({ id: fields.id(), kind, session });

/** The web player calls the session `session`, the legacy API `session_id`. */
export const recordListen = z.preprocess(
  (value) => (isRecord(value) && value.session === undefined ? { ...value, session: value.sessionId } : value),
  z.object({
    id: fields.id(),
    kind,
    session,
    /** Seconds played; the web player calls only after the minimum. */
    seconds: z.coerce.number({ error: 'field.invalid' }).finite().optional(),
    /** Ticket from `startPlaying`. Legacy clients have none (docs/decisions/0165). */
    ticket: z.string({ error: 'field.invalid' }).max(200, { error: 'field.invalid' }).optional(),
  }),
);

/** The minutes of some hours of the episode: `[hour, bits in hexadecimal]`, where bit 0 is the first minute of the hour. */
export const recordMinutes = z.object({
  id: fields.id(),
  kind,
  session,
  ticket: z.string({ error: 'field.required' }).max(200, { error: 'field.invalid' }),
  heard: z
    .array(
      z.tuple([
        z.int({ error: 'field.invalid' }).min(0).max(HEARD_LIMITS.lastHour),
        z.string({ error: 'field.invalid' }).regex(/^[0-9a-f]{1,15}$/, { error: 'field.invalid' }),
      ]),
    )
    .min(1)
    .max(HEARD_LIMITS.hours),
});

export const savePosition = z.object({
  id: fields.id(),
  kind,
  seconds: z.number({ error: 'field.invalid' }).min(0).max(POSITION_LIMITS.maxSeconds),
  /** Whether the episode was played to its end. */
  finished: z.boolean().optional(),
  /**
   * Milliseconds since the listener reached the position, by the listener's clock: a report may have waited for a
   * connection.
   */
  age: z.number({ error: 'field.invalid' }).min(0).max(POSITION_LIMITS.reportedWithin).optional(),
});

export const otherEpisodes = z.object({
  id: fields.id(),
  kind,
  direction: fields.oneOf(['next', 'previous']).optional(),
  page: listFields.page,
  pageSize: listFields.pageSize,
});

/** At most one page of episodes. */
export const episodePlays = z.object({ episodeIds: z.array(fields.id()).max(PAGE_LIMITS.maxSize) });

/** At most one page of shows. */
export const showPlays = z.object({ productIds: z.array(fields.id()).max(PAGE_LIMITS.maxSize) });

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export type PlayEpisode = z.infer<typeof playEpisode>;
export type StartPlaying = z.infer<typeof startPlaying>;
export type SavePosition = z.infer<typeof savePosition>;
export type RecordMinutes = z.infer<typeof recordMinutes>;
export type RecordListen = z.infer<typeof recordListen>;
export type EpisodePlays = z.infer<typeof episodePlays>;
export type ShowPlays = z.infer<typeof showPlays>;
export type OtherEpisodes = z.infer<typeof otherEpisodes>;
