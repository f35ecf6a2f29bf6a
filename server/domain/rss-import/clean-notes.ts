import { setImmediate } from 'node:timers/promises';
import type { FeedPreview } from '~/db/values/rss-import';
import { cutHtml } from '../../feed/cut-html';
import type { ImportedEpisode, ImportedFeed } from '../../feed/reader/model';
import { FEED_LIMITS } from '../../limits/feeds';
import { descriptionHtml, descriptionText } from '../episodes/description-html';

type Cleaned = { feed: ImportedFeed; losses: FeedPreview['losses'] };

/**
 * Notes that fit into our feed. Long ones are cleaned first, because most of them may be markup that we don't keep, and
 * then cut; the loss states how much of their text is gone.
 */
export async function cleanNotes(feed: ImportedFeed): Promise<Cleaned> {
  const episodes: ImportedEpisode[] = [];
  const cut = { count: 0, first: 0, before: 0, after: 0 };
  for (const [at, episode] of feed.episodes.entries()) {
    const { description, isCut, clean } = await fitNotes(episode.description);
    episodes.push(description === episode.description ? episode : { ...episode, description });
    if (!isCut) continue;
    cut.count += 1;
    cut.first ||= at + 1;
    cut.before += (await descriptionText(clean)).length;
    cut.after += (await descriptionText(description)).length;
  }
  const percent = Math.max(1, Math.round(100 - (100 * cut.after) / cut.before));
  const loss = { kind: 'description_cut' as const, count: cut.count, first: cut.first, percent };
  return { feed: { ...feed, episodes }, losses: cut.count > 0 ? [loss] : [] };
}

async function fitNotes(notes: string): Promise<{ description: string; isCut: boolean; clean: string }> {
  const { notesBytes } = FEED_LIMITS;
  if (Buffer.byteLength(notes) <= notesBytes) return { description: notes, isCut: false, clean: notes };
  // cleaning hundreds of long texts must not block other requests
  await setImmediate();
  const clean = await descriptionHtml(notes);
  const description = cutHtml(clean, notesBytes);
  return { description, isCut: description !== clean, clean };
}
