import { and, eq } from 'drizzle-orm';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { slugFrom } from '../base/addresses';
import { DAYS, earlier } from '../base/time';
import { settleAudio } from '../domain/episodes/audio-check';
import { saveChapters } from '../domain/episodes/chapters';
import { removeEpisode } from '../domain/episodes/delete-episode';
import { createEpisode, updateEpisode } from '../domain/episodes/draft-episode';
import { cutPromo } from '../domain/episodes/promos';
import { findEpisodeRecord } from '../domain/episodes/queries';
import * as schema from '../domain/episodes/schema';
import { type NewTranscript, storeTranscript } from '../domain/episodes/store-transcript';
import { uploadTranscript } from '../domain/episodes/transcripts';
import { EPISODE_LIMITS } from '../limits/episodes';
import { checkAudio } from '../queue/jobs/episodes';
import { type Ctx, transact } from '../runtime/ctx';
import type { Cue } from '../transcript/model';
import { upload } from './actions';
import { CREDITS } from './credits';
import type { DemoEpisode, DemoProduct } from './demo-types';
import { drawAvatar } from './pictures';
import { heardTranscript, type SpokenWord, TRANSCRIPTS } from './transcripts';
import type { Compose } from './tunes';

export type Recording = { product: DemoProduct; episode: DemoEpisode; compose: Compose };
type Numbered = Recording & { productId: number };
type Ref = { id: number; kind: DemoProduct['kind'] };

/** Creates the episode, or the missing parts of one whose start was killed. */
export async function ensureEpisode(ctx: Ctx, recording: Numbered): Promise<void> {
  const { product, productId, episode } = recording;
  // a deleted episode has lost its slug, but not its name
  const isIt = and(eq(episodes.productId, productId), eq(episodes.name, episode.name));
  const [existing] = await ctx.db.select().from(episodes).where(isIt);
  if (existing?.deletedAt) return;
  const id = existing?.id ?? (await createEpisodeAt(ctx, recording));
  await describeEpisode(ctx, { id, kind: product.kind }, recording);
}

/** Creates the episode as of its release date or today, whichever is earlier. */
async function createEpisodeAt(ctx: Ctx, { product, productId, episode, compose }: Numbered): Promise<number> {
  const { name, description, type = 'public', season, number, daysAgo, state } = episode;
  if (product.price && type === 'public') await checkEpisodes(ctx, productId);
  const now = ctx.now();
  const bytes = await tuneOf({ product, episode, compose });
  const fileName = `${product.slug}-${number ?? state ?? type}.mp3`;
  const fileKey = await upload(ctx, { purpose: 'episode_audio', name: fileName, type: 'audio/mpeg', bytes });
  const releaseDate = state ? null : earlier(now, DAYS(daysAgo));
  const slug = slugFrom(name, EPISODE_LIMITS.slugLength);
  const described = { kind: product.kind, productId, name, description, type, season, number, slug };
  const release = { releaseDate, hold: state === 'draft', sendEmail: episode.isAnnounced ?? false };
  const input = schema.createEpisode.parse({ ...described, ...release, fileKey });
  const createdAt = new Date(Math.min(releaseDate?.getTime() ?? Number.POSITIVE_INFINITY, now.getTime()));
  return (await createEpisode({ ...ctx, now: () => createdAt }, input)).id;
}

/** Fills in the rest of the form; repeating it changes nothing. */
async function describeEpisode(ctx: Ctx, ref: Ref, { episode }: Recording): Promise<void> {
  const { name, chapters, state } = episode;
  if (chapters)
    await saveChapters(ctx, schema.saveChapters.parse({ ...ref, chapters: await chaptersOf(ctx, episode) }));
  const credits = CREDITS[name];
  if (credits) await updateEpisode(ctx, { ...ref, ...credits });
  const transcript = TRANSCRIPTS[name];
  const content = Buffer.from(transcript ?? '').toString('base64');
  if (transcript) await uploadTranscript(ctx, { ...ref, fileName: 'transcript.vtt', content });
  if (episode.needsLook) await storeOnce(ctx, ref, await heardWords());
  if (episode.isTimed) await storeOnce(ctx, ref, await timedScript());
  if (episode.hasPromo) await addPromo(ctx, ref);
  if (state === 'deleted') await removeEpisode(ctx, ref);
}

/** Once: the editor may have changed it since. */
async function storeOnce(ctx: Ctx, { id, kind }: Ref, transcript: NewTranscript): Promise<void> {
  const isIt = eq(episodeTranscripts.episodeId, id);
  if ((await ctx.db.$count(episodeTranscripts, isIt)) > 0) return;
  const { episode } = await findEpisodeRecord(ctx, id, kind);
  await transact(ctx, (tx) => storeTranscript(tx, episode, transcript));
}

async function heardWords(): Promise<NewTranscript> {
  const { default: speech } = await SPEECHES.en();
  const cues = heardTranscript(speech.words as SpokenWord[]);
  return { source: 'engine', cues, language: speech.language, fileName: 'transcript.vtt' };
}

/** What the comparison of a script with the lesson's sound has found. It would take some seconds. */
async function timedScript(): Promise<NewTranscript> {
  const { default: timed } = await import('./timed-lesson.json');
  return { source: 'aligned', cues: timed.cues as Cue[], language: 'en', fileName: 'how-to-stand-still.md' };
}

async function chaptersOf(ctx: Ctx, { chapters = [], hasPictures }: DemoEpisode) {
  if (!hasPictures) return chapters;
  const file = { purpose: 'chapter_image', name: 'chapter.jpg', type: 'image/jpeg' } as const;
  const withPicture = [];
  for (const chapter of chapters)
    withPicture.push({ ...chapter, imageKey: await upload(ctx, { ...file, bytes: await drawAvatar(chapter.title) }) });
  return withPicture;
}

const SPEECHES = {
  en: () => import('../sandbox/transcriber/speech-en.json'),
  es: () => import('../sandbox/transcriber/speech-es.json'),
  lesson: () => import('../sandbox/transcriber/speech-lesson.json'),
};

async function speechOf(speech: keyof typeof SPEECHES): Promise<Buffer> {
  return Buffer.from((await SPEECHES[speech]()).default.mp3, 'base64');
}

/** The uploaded file. The episodes of a show with a single tune share the bytes of its first one. */
export async function tuneOf({ product, episode, compose }: Recording): Promise<Buffer> {
  if (episode.state === 'failed') return NOT_MP3;
  if (episode.speech) return speechOf(episode.speech);
  const { name, seconds } = (product.hasOneTune && product.episodes[0]) || episode;
  return compose(`${product.slug}/${name}`, seconds);
}

/**
 * Checks the new audio of a show here, because a first start may have no worker: a paid show has a place for a public
 * episode only after a private one was checked and published. A worker that has the same job changes nothing.
 */
export async function checkEpisodes(ctx: Ctx, productId: number): Promise<void> {
  const isUnchecked = and(eq(episodes.productId, productId), eq(episodes.status, 'in_progress'));
  const rows = await ctx.db.select({ id: episodes.id }).from(episodes).where(isUnchecked).orderBy(episodes.id);
  for (const { id } of rows) await checkEpisode(ctx, id);
}

/** Does what the job of an upload does, with its rights. That job may be faster, and then removes the upload. */
export async function checkEpisode(ctx: Ctx, id: number): Promise<void> {
  try {
    await settleAudio({ ...ctx, actor: { type: 'system', job: checkAudio.name } }, id);
  } catch (error) {
    const isUnchecked = and(eq(episodes.id, id), eq(episodes.status, 'in_progress'));
    const [unchecked] = await ctx.db.select({ id: episodes.id }).from(episodes).where(isUnchecked);
    if (unchecked) throw error;
  }
}

/** A common mistake: a file in another format with the name of an MP3. */
const NOT_MP3 = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(4096)]);

/** Cuts the first seconds as the promo: uploads are limited to one a day. */
async function addPromo(ctx: Ctx, ref: Ref): Promise<void> {
  await checkEpisode(ctx, ref.id);
  await cutPromo(ctx, { ...ref, startMs: 0, endMs: PROMO_MS });
}

const PROMO_MS = 12_000;
