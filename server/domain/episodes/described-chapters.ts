import type { Chapter } from '~/db/values/episodes';
import { parseClock } from '../../base/time';
import { decodeEntities } from '../../feed/markup/entities';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findEpisodeRecord } from './queries';
import { chaptersFromFile } from './rules';
import type { FindEpisode } from './schema';

/** The chapters that the description of an episode lists, for its team. @throws episode.not_found */
export async function describedChapters(ctx: Ctx, { id, kind }: FindEpisode): Promise<Chapter[]> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const { description, durationMs } = authorize(ctx, 'episode.read', found.episode);
  return readChapters(description, durationMs);
}

/**
 * Reads chapters from lines such as `00:00 Intro` or `- (1:02:03) – Outro`, and puts them in order. A single line with a
 * time is no list, so there are none or at least two.
 */
export function readChapters(html: string, durationMs: number | null): Chapter[] {
  const lines = decodeEntities(html.replace(LINE_ENDS, '\n').replace(/<[^>]*>/g, '')).split('\n');
  const found = lines.flatMap((line) => {
    const [, clock, title] = LINE.exec(line.trim()) ?? [];
    return clock && title ? [{ startMs: parseClock(clock), title }] : [];
  });
  const chapters = chaptersFromFile(found, durationMs ?? Number.POSITIVE_INFINITY);
  return chapters.length > 1 ? chapters : [];
}

const LINE_ENDS = /<br\b[^>]*>|<\/(?:p|li|h[34]|blockquote)>/gi;
/** A time, perhaps in brackets and after a bullet, then its title; not a time of day (10:30 am). */
const LINE =
  /^(?:[-–—•*]\s*)?[([]?((?:\d{1,2}:[0-5]\d|\d{1,3}):[0-5]\d)(?!:?\d)[)\]]?(?!\s*(?:[ap]\.?\s?m\b|h\b))\s*(?:[-–—:|.]\s*)?(\S.*)$/i;
