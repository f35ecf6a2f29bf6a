import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { and, eq, inArray } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { clipVersions } from '~/db/schema/insertions';
import { renditions } from '~/db/schema/renditions';
import type { ServedHead } from '~/db/values/episodes';
import type { Arrangement } from '~/db/values/insertions';
import { bufferSource } from '../../audio/bytes';
import { timeOf } from '../../audio/frame-header';
import { type Insertion, type Rendition, splice } from '../../audio/splice';
import { readTags, writeId3 } from '../../audio/tags';
import { type Part, toRendition } from '../../audio/timeline';
import type { Segment } from '../../audio/virtual-file';
import { sharedWork } from '../../flow/shared-work';
import { RENDITION_LIMITS } from '../../limits/insertions';
import type { Ctx } from '../../runtime/ctx';
import { type OpenRecording, openRecording } from '../media/recordings';
import { hashOfHead } from '../media/served-heads';

type Builder = Pick<Ctx, 'db' | 'ports' | 'now'>;

/** An episode's file, of which renditions are made. */
export type EpisodeSource = {
  episodeId: number;
  creatorId: number;
  audioKey: string;
  audioSha256: string;
  servedHead: ServedHead | null;
};

/** The bytes of a campaign's clip in a rendition; `to` is exclusive. `position`: in its arrangement. */
export type ClipSpan = { position: number; campaignId: number; from: number; to: number };

/** A rendition that can be sent. */
export type BuiltRendition = {
  id: string;
  episodeId: number;
  bytes: number;
  headBytes: number;
  durationMs: number;
  segments: readonly Segment[];
  clips: readonly ClipSpan[];
  timeline: { sampleRate: number; samplesPerFrame: number; parts: readonly Part[] };
};

type RenditionRow = typeof renditions.$inferSelect;

/** Renditions never change, so a process builds each of them once, also if many listeners begin at once. */
type Built = { cached: LRUCache<string, BuiltRendition>; share: ReturnType<typeof sharedWork<BuiltRendition | null>> };
const built = new WeakMap<Ctx['ports']['storage'], Built>();
const memoryOf = ({ segments }: BuiltRendition) =>
  segments.reduce((sum, { from }) => sum + 200 + ('memory' in from ? from.memory.length : 0), 2000);

function builtIn({ ports: { storage } }: Pick<Ctx, 'ports'>): Built {
  const opened = built.get(storage);
  if (opened) return opened;
  const maxSize = RENDITION_LIMITS.builtBytes;
  const cached = new LRUCache<string, BuiltRendition>({ maxSize, sizeCalculation: memoryOf });
  const created = { cached, share: sharedWork<BuiltRendition | null>() };
  built.set(storage, created);
  return created;
}

/** A rendition of an episode by its id; null if it does not exist, or if one of its files was deleted. */
export async function lookupRendition(ctx: Builder, episodeId: number, id: string): Promise<BuiltRendition | null> {
  const { cached, share } = builtIn(ctx);
  const known = cached.get(id);
  if (known) return known.episodeId === episodeId ? known : null;
  return share(`${episodeId} ${id}`, () => buildStored(ctx, episodeId, id));
}

async function buildStored(ctx: Builder, episodeId: number, id: string): Promise<BuiltRendition | null> {
  const [row] = await ctx.db
    .select()
    .from(renditions)
    .where(and(eq(renditions.id, id), eq(renditions.episodeId, episodeId)));
  if (!row) return null;
  const { headKey } = row;
  const tag = headKey === null ? new Uint8Array() : await readObject(ctx, headKey);
  const spliced = tag && (await spliceStored(ctx, row, tag));
  return spliced && keep(ctx, row, spliced);
}

/**
 * The rendition of an arrangement, which is stored if it is new. Null if it can't be made: a file was deleted, or the clip
 * does not fit.
 */
export async function ensureRendition(
  ctx: Builder,
  source: EpisodeSource,
  arrangement: Arrangement,
): Promise<BuiltRendition | null> {
  const { episodeId, audioKey, servedHead } = source;
  const headHash = servedHead ? hashOfHead(servedHead) : '';
  const arrangementHash = sha256(JSON.stringify(arrangement));
  const wanted = { episodeId, audioKey, headHash, arrangementHash };
  return builtIn(ctx).share(Object.values(wanted).join(' '), () => ensure(ctx, source, { ...wanted, arrangement }));
}

type Wanted = Pick<RenditionRow, 'episodeId' | 'audioKey' | 'headHash' | 'arrangementHash' | 'arrangement'>;

async function ensure(ctx: Builder, source: EpisodeSource, wanted: Wanted): Promise<BuiltRendition | null> {
  const { episodeId, audioKey, headHash, arrangementHash, arrangement } = wanted;
  const isSame = and(
    eq(renditions.episodeId, episodeId),
    eq(renditions.audioKey, audioKey),
    eq(renditions.headHash, headHash),
    eq(renditions.arrangementHash, arrangementHash),
  );
  const [row] = await ctx.db.select({ id: renditions.id }).from(renditions).where(isSame);
  // made again if its tag is missing, as after a restored backup
  const known = row && (await lookupRendition(ctx, episodeId, row.id));
  if (known) return known;
  const plain = await spliceStored(ctx, { audioKey, arrangement }, new Uint8Array());
  const tag = plain && (await shiftedTag(ctx, source, plain));
  const spliced = tag && (await spliceStored(ctx, { audioKey, arrangement }, tag));
  if (!spliced) return null;
  const headKey = tag.length > 0 ? audioKey.replace(/[^/]+$/, `${sha256(tag)}.tag`) : null;
  if (headKey) await ctx.ports.storage.put(headKey, Buffer.from(tag), { contentType: 'application/octet-stream' });
  const { bytes, headBytes, durationMs } = figuresOf(spliced);
  // the same bytes of a copied episode, or with the clip of another campaign, count for another one
  const id = sha256(`${episodeId} ${arrangementHash} ${spliced.sha256}`).slice(0, RENDITION_LIMITS.id);
  const figures = { bytes, headBytes, durationMs, createdAt: ctx.now() };
  // another process may have stored it meanwhile
  await ctx.db
    .insert(renditions)
    .values({ id, ...wanted, headKey, ...figures })
    .onConflictDoNothing();
  return keep(ctx, { id, episodeId, arrangement }, spliced);
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

async function readObject({ ports: { storage } }: Builder, key: string): Promise<Uint8Array | null> {
  return (await storage.head(key)) && buffer(await storage.read(key));
}

type Stored = { audioKey: string; arrangement: Arrangement };

/** Splices stored files; null if one of them is missing or does not fit. */
async function spliceStored(ctx: Builder, { audioKey, arrangement }: Stored, tag: Uint8Array) {
  const { storage } = ctx.ports;
  const opened: OpenRecording[] = [];
  const open = async (stored: Parameters<typeof openRecording>[1]) => {
    const recording = await openRecording(storage, stored);
    if (recording) opened.push(recording);
    return recording;
  };
  try {
    const episode = await open({ key: audioKey, sha256: audioKey, keepsIndex: true });
    const insertions = episode && (await openClips(ctx, arrangement, open));
    if (!insertions) return null;
    const result = await splice(episode, insertions, { id3: tag, omitted: arrangement.omitted });
    return result.ok ? result.rendition : null;
  } finally {
    await Promise.all(opened.map((recording) => recording.close()));
  }
}

/** The clips of an arrangement with their files; null if one is missing. */
async function openClips(
  { db }: Builder,
  { clips }: Arrangement,
  open: (stored: { key: string; sha256: string }) => Promise<OpenRecording | null>,
): Promise<Insertion[] | null> {
  if (clips.length === 0) return [];
  const ids = [...new Set(clips.map(({ versionId }) => versionId))];
  const { id, audioKey, audioSha256 } = clipVersions;
  const rows = await db.select({ id, audioKey, audioSha256 }).from(clipVersions).where(inArray(id, ids)).orderBy(id);
  const files = new Map<number, OpenRecording>();
  for (const row of rows) {
    const file = row.audioKey && (await open({ key: row.audioKey, sha256: row.audioSha256 ?? row.audioKey }));
    if (file) files.set(row.id, file);
  }
  if (files.size < ids.length) return null;
  return clips.map(({ place, versionId, silenceBeforeMs, silenceAfterMs }) => ({
    at: place,
    clip: files.get(versionId)!,
    silenceBeforeMs,
    silenceAfterMs,
  }));
}

/** The episode's tag with its chapters at the times of the rendition; those inside an omitted passage disappear. */
async function shiftedTag(ctx: Builder, { audioKey, servedHead }: EpisodeSource, spliced: Rendition) {
  const bytes = servedHead && (await readObject(ctx, servedHead.key));
  if (servedHead && !bytes) return null;
  const file = bytes ? null : await ctx.ports.storage.open(audioKey);
  const source = bytes ? bufferSource(bytes) : file && { size: file.bytes, read: file.readInto };
  try {
    const tags = source && (await readTags(source));
    const chapters = (tags?.chapters ?? [])
      .map((chapter) => ({
        ...chapter,
        startMs: toRendition(spliced, chapter.startMs),
        endMs: toRendition(spliced, chapter.endMs),
      }))
      .filter(({ startMs, endMs }) => startMs < endMs);
    return tags && writeId3({ ...tags, chapters });
  } finally {
    await file?.close();
  }
}

function figuresOf(spliced: Rendition) {
  const headBytes = spliced.segments.reduce((sum, { role, bytes }) => sum + (role === 'head' ? bytes : 0), 0);
  return { bytes: spliced.bytes, headBytes, durationMs: Math.round(timeOf(spliced, spliced.frames)) };
}

type Identity = Pick<RenditionRow, 'id' | 'episodeId' | 'arrangement'>;

function keep(ctx: Builder, { id, episodeId, arrangement }: Identity, spliced: Rendition): BuiltRendition {
  const { segments, sampleRate, samplesPerFrame, parts } = spliced;
  const clips = clipSpans(segments, arrangement);
  const timeline = { sampleRate, samplesPerFrame, parts };
  const rendition = { id, episodeId, ...figuresOf(spliced), segments, clips, timeline };
  builtIn(ctx).cached.set(id, rendition);
  return rendition;
}

/** Silence around a clip and its primer don't belong to it. */
function clipSpans(segments: readonly Segment[], { clips }: Arrangement): ClipSpan[] {
  const spans = new Map<number, ClipSpan>();
  let at = 0;
  for (const { role, bytes, insertion, from } of segments) {
    const campaignId = insertion === undefined ? null : (clips[insertion]?.campaignId ?? null);
    if (role === 'clip' && 'key' in from && insertion !== undefined && campaignId !== null) {
      const first = spans.get(insertion)?.from ?? at;
      spans.set(insertion, { position: insertion, campaignId, from: first, to: at + bytes });
    }
    at += bytes;
  }
  return [...spans.values()];
}
