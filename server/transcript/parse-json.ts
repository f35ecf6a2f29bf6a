import type { Cue } from './model';

type Segment = Record<string, unknown>;

/**
 * Podcasting 2.0 (`startTime`, `endTime`, `body`), and the format of speech recognizers (`start`, `end`, `text`), in a
 * list or in `segments`. Null for other formats.
 */
export function parseJson(text: string): Cue[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return null;
  }
  const segments = Array.isArray(parsed) ? parsed : (parsed as { segments?: unknown } | null)?.segments;
  if (!Array.isArray(segments)) return null;
  return segments.flatMap((segment: unknown) =>
    typeof segment === 'object' && segment !== null ? toCue(segment as Segment) : [],
  );
}

function toCue(segment: Segment): Cue[] {
  const body = segment.body ?? segment.text;
  const startMs = toMs(segment.startTime ?? segment.start);
  if (typeof body !== 'string' || body.trim() === '' || startMs === null) return [];
  const endMs = Math.max(startMs, toMs(segment.endTime ?? segment.end) ?? startMs);
  const speaker = typeof segment.speaker === 'string' ? segment.speaker : null;
  return [{ startMs, endMs, speaker: speaker?.trim() || null, text: body }];
}

/** Seconds, as a number or as text. */
function toMs(value: unknown): number | null {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const isTime = typeof seconds === 'number' && seconds >= 0 && seconds < MAX_SECONDS;
  return isTime ? Math.round(seconds * 1000) : null;
}

const MAX_SECONDS = 1_000_000;
