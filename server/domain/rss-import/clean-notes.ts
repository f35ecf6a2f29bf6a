import { setImmediate } from 'node:timers/promises';
import type { FeedPreview } from '~/db/values/rss-import';
import { cutHtml } from '../../feed/cut-html';
import type { ImportedEpisode, ImportedFeed } from '../../feed/reader/model';
import { FEED_LIMITS } from '../../limits/feeds';
import { descriptionHtml, descriptionText } from '../episodes/description-html';
import { withoutProofCodes } from './rules';

type Cleaned = { feed: ImportedFeed; losses: FeedPreview['losses'] };

/** Of the notes, so many bytes are cleaned for each byte that our feed may have: more would take seconds. */
const CLEANED_PER_BYTE = 4;

/**
 * Notes that fit into our feed. Long ones are cleaned first, because most of them may be markup that we don't keep, and
 * then cut; the loss states how much of their text is gone.
 */
export async function cleanNotes(feed: ImportedFeed): Promise<Cleaned> {
  const episodes: ImportedEpisode[] = [];
  const cut = { count: 0, first: 0, before: 0, after: 0 };
  for (const [at, episode] of feed.episodes.entries()) {
    const { description, whole } = await fitNotes(episode.description);
    episodes.push(description === episode.description ? episode : { ...episode, description });
    if (whole === null) continue;
    cut.count += 1;
    cut.first ||= at + 1;
    cut.before += textLength(whole);
    cut.after += textLength(description);
  }
  const percent = Math.max(1, Math.round(100 - (100 * cut.after) / Math.max(1, cut.before)));
  const loss = { kind: 'description_cut' as const, count: cut.count, first: cut.first, percent };
  return { feed: { ...feed, episodes }, losses: cut.count > 0 ? [loss] : [] };
}

/** `whole`: the notes before they were cut, or null if they were not. */
async function fitNotes(notes: string): Promise<{ description: string; whole: string | null }> {
  const { notesBytes } = FEED_LIMITS;
  if (Buffer.byteLength(notes) <= notesBytes) return { description: notes, whole: null };
  // cleaning hundreds of long texts must not block other requests
  await setImmediate();
  const read = cutHtml(notes, CLEANED_PER_BYTE * notesBytes);
  const clean = await descriptionHtml(read);
  const description = cutHtml(clean, notesBytes);
  if (read !== notes) return { description, whole: notes };
  return { description, whole: description === clean ? null : clean };
}

const textLength = (html: string): number => html.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ').length;

/** Descriptions of shows are plain text, with a line for each paragraph. Later lines than `length` needs are not read. */
export async function plainDescription(html: string, length = Number.POSITIVE_INFINITY): Promise<string> {
  const lines = html.split(/<br\s*\/?>|<\/(?:p|li|h[1-6]|div)>|\n/i).filter((line) => line.trim() !== '');
  let text = '';
  for (const line of lines) {
    if (text.length >= length) break;
    const plain = withoutProofCodes(await descriptionText(line));
    if (plain !== '') text += text === '' ? plain : `\n${plain}`;
  }
  return text;
}
