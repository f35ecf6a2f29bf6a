import { z } from 'zod';
import type { Chapter } from '~/db/values/episodes';
import { transcriptNotFound } from '../../../domain/episodes/errors';
import type { TranscriptView } from '../../../domain/episodes/transcripts';
import type { FormTicket } from '../../../domain/media/uploads';
import { type Serializer, serializer } from '../../../rest/call';
import { plainView } from './plain-view';
import { instant, url } from './values';

const chapter = z.strictObject({
  start_ms: z.int(),
  title: z.string(),
  url: z.string().nullable(),
  image_key: z.string().nullable(),
});

export const chaptersView = serializer(
  'Chapters',
  z.strictObject({ chapters: z.array(chapter) }),
  (all: Chapter[]) => ({
    chapters: all.map(({ startMs, title, url: link, imageKey }) => ({
      start_ms: startMs,
      title,
      url: link,
      image_key: imageKey,
    })),
  }),
);

const transcript = plainView<TranscriptView>('Transcript', {
  source: z.string(),
  fileName: z.string(),
  language: z.string(),
  updatedAt: instant,
  cues: z.int(),
  hasTimes: z.boolean(),
  unsure: z.int(),
  speakers: z.array(z.string()),
  text: z.string().nullable(),
  downloads: z.array(z.strictObject({ format: z.string(), url })),
});

export const transcriptView: Serializer<TranscriptView | null> = {
  ...transcript,
  write(value, ctx) {
    if (value === null) throw transcriptNotFound();
    return transcript.write(value, ctx);
  },
};

export const storedTranscriptView = plainView<{ cues: number }>('StoredTranscript', { cues: z.int() });

const words = z.record(z.string(), z.string());

/** `method` POST: a multipart form with `fields` first and `file` last. PUT: only the bytes, with `headers`. */
export const uploadView = serializer(
  'Upload',
  z.strictObject({
    key: z.string(),
    url,
    method: z.enum(['POST', 'PUT']),
    fields: words,
    headers: words,
    expires_at: instant,
  }),
  ({ key, url: target, method, fields, headers, expiresAt }: FormTicket) => ({
    key,
    url: target,
    method,
    fields,
    headers,
    expires_at: expiresAt.toISOString(),
  }),
);
