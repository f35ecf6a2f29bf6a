import { createHash } from 'node:crypto';
import type { ByteSource } from './bytes';
import { framesUntil, signature, silentFrame, timeOf } from './frame-header';
import { type FrameIndex, positionsIn, spansOf } from './indexing';
import { writeInfoFrame } from './info-frame';
import { primerFor } from './primer';
import { framesOf, type Part } from './timeline';
import { type Segment, startsOf } from './virtual-file';

/** A stored MP3: its key, its content hash and its frame index. */
export type Recording = { key: string; sha256: string; index: FrameIndex; source: ByteSource };

/**
 * `at`: before everything, after everything, or at a time of the episode in ms, rounded up to the next frame. Silence
 * around the clip is rounded up to whole frames, too.
 */
export type Insertion = {
  at: 'pre' | 'post' | number;
  clip: Recording;
  silenceBeforeMs?: number;
  silenceAfterMs?: number;
};

/** A passage of the episode that the rendition leaves out. Both ends are rounded up to the next frame. */
export type Omission = { fromMs: number; toMs: number };

/** An episode with clips, as a virtual file: every byte is in another file or in memory. */
export type Rendition = {
  bytes: number;
  /** Hexadecimal hash of everything that determines the bytes, usable as a strong ETag. */
  sha256: string;
  segments: Segment[];
  sampleRate: number;
  samplesPerFrame: number;
  frames: number;
  /** The timeline in frames, including primers. */
  parts: Part[];
};

/**
 * `clip_mismatch` a clip has another MPEG version, sample rate or number of channels (conform it first) ·
 * `clip_begins_inside` its first frame borrows bytes from earlier frames · `marker_outside` a time below 0 or past the
 * end.
 */
export type SpliceReason = (typeof SPLICE_REASONS)[number];
export const SPLICE_REASONS = ['clip_mismatch', 'clip_begins_inside', 'marker_outside'] as const;

export type Spliced = { ok: true; rendition: Rendition } | { ok: false; reason: SpliceReason; insertion: number };

/**
 * Inserts clips into an episode, and leaves passages out, without decoding anything. A clip inside an omitted passage
 * plays in its place.
 * @param id3 a leading tag (see tags.ts); tags of the sources are dropped
 */
export async function splice(
  episode: Recording,
  insertions: Insertion[],
  { id3 = new Uint8Array(), omitted = [] }: { id3?: Uint8Array; omitted?: Omission[] } = {},
): Promise<Spliced> {
  for (const [i, { at, clip }] of insertions.entries()) {
    const reason = rejectionReason(episode.index, at, clip.index);
    if (reason) return { ok: false, reason, insertion: i };
  }
  const gaps = omitted.map(({ fromMs, toMs }) => ({
    from: frameOfMarker(episode.index, fromMs),
    to: frameOfMarker(episode.index, toMs),
  }));
  const cuts = insertions
    .map(({ at, ...inserted }, insertion) => ({ frame: frameOfMarker(episode.index, at), insertion, ...inserted }))
    .sort((a, b) => a.frame - b.frame);
  const body: Piece[] = [];
  let from = 0;
  for (const { frame, insertion, ...inserted } of cuts) {
    await addEpisode(body, episode, kept({ from, to: frame }, gaps));
    from = frame;
    body.push(...clipPieces(episode.index, insertion, inserted));
  }
  await addEpisode(body, episode, kept({ from, to: episode.index.frames }, gaps));
  return { ok: true, rendition: assemble(episode.index, body, id3) };
}

type Frames = { from: number; to: number };
type Piece =
  | { role: 'episode' | 'clip'; recording: Recording; from: number; to: number; insertion?: number }
  | { role: 'primer' | 'clip'; memory: Uint8Array; frames: number; insertion?: number };

/** The parts of a range that no gap covers. */
function kept(range: Frames, gaps: Frames[]): Frames[] {
  return gaps.reduce(
    (ranges, gap) =>
      ranges.flatMap(({ from, to }) =>
        [
          { from, to: Math.min(to, gap.from) },
          { from: Math.max(from, gap.to), to },
        ].filter((part) => part.from < part.to),
      ),
    range.from < range.to ? [range] : [],
  );
}

/**
 * Where the episode does not follow itself, it needs a primer, even at its start after a clip: a file cut from another
 * one borrows bytes there too.
 */
async function addEpisode(body: Piece[], episode: Recording, ranges: Frames[]): Promise<void> {
  for (const range of ranges) {
    const before = body.at(-1);
    const memory = before || range.from > 0 ? await primerFor(episode.source, episode.index, range.from) : null;
    if (memory) body.push({ role: 'primer', memory, frames: 1, ...ownerOf(before ?? {}) });
    body.push({ role: 'episode', recording: episode, ...range });
  }
}

function clipPieces(
  episode: FrameIndex,
  insertion: number,
  { clip, silenceBeforeMs = 0, silenceAfterMs = 0 }: Omit<Insertion, 'at'>,
): Piece[] {
  const played: Piece = { role: 'clip', recording: clip, from: 0, to: clip.index.frames, insertion };
  return [...silence(episode, silenceBeforeMs, insertion), played, ...silence(episode, silenceAfterMs, insertion)];
}

/** Frames of silence that need nothing of the frames before them. */
function silence(episode: FrameIndex, ms: number, insertion: number): Piece[] {
  const frames = Math.ceil(framesUntil(episode, ms) - ROUNDING);
  const frame = frames > 0 ? silentFrame(episode.header, 0) : null;
  if (!frame) return [];
  const memory = new Uint8Array(frames * frame.length);
  for (let i = 0; i < frames; i++) memory.set(frame, i * frame.length);
  return [{ role: 'clip', memory, frames, insertion }];
}

const ownerOf = ({ insertion }: { insertion?: number }) => (insertion === undefined ? {} : { insertion });

function rejectionReason(episode: FrameIndex, at: Insertion['at'], clip: FrameIndex): SpliceReason | null {
  if (typeof at === 'number' && !(at >= 0 && at <= timeOf(episode, episode.frames))) return 'marker_outside';
  if (signature(clip.header, 0) !== signature(episode.header, 0)) return 'clip_mismatch';
  return clip.needs[0] === 0 ? null : 'clip_begins_inside';
}

function frameOfMarker(index: FrameIndex, at: Insertion['at']): number {
  if (at === 'pre') return 0;
  if (at === 'post') return index.frames;
  return Math.min(index.frames, Math.ceil(framesUntil(index, at) - ROUNDING));
}

/** In frames: a time computed from a frame number maps back to that frame. */
const ROUNDING = 1e-4;

function assemble(episode: FrameIndex, body: Piece[], id3: Uint8Array): Rendition {
  const audio = body.flatMap(segmentsOf);
  const parts = framesOf(body.map(partOf));
  const frames = parts.reduce((sum, part) => sum + part.frames, 0);
  const constantBitrate = body.every(
    (piece) =>
      'memory' in piece || (piece.recording.index.constantBitrate && piece.recording.index.bitrate === episode.bitrate),
  );
  const positionOf = bytePositions(body, parts);
  const info = writeInfoFrame(
    episode.header,
    { constantBitrate, frames, bytes: bytesOf(audio) },
    (share, infoBytes) => infoBytes + positionOf(Math.floor(share * frames)),
  );
  const head: Segment[] = [id3, info]
    .filter((memory) => memory.length > 0)
    .map((memory) => ({ role: 'head', bytes: memory.length, from: { memory } }));
  const segments = [...head, ...audio];
  const { sampleRate, samplesPerFrame } = episode;
  const sha256 = hashOf(segments, body);
  return { bytes: bytesOf(segments), sha256, segments, sampleRate, samplesPerFrame, frames, parts };
}

function bytesOf(segments: Segment[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}

function segmentsOf(piece: Piece): Segment[] {
  const { role } = piece;
  const owner = ownerOf(piece);
  if ('memory' in piece) return [{ role, bytes: piece.memory.length, ...owner, from: { memory: piece.memory } }];
  const { key, index } = piece.recording;
  return spansOf(index, piece.from, piece.to).map(({ start, bytes }) => ({
    role,
    bytes,
    ...owner,
    from: { key, start },
  }));
}

function partOf(piece: Piece): Omit<Part, 'start'> {
  const { role } = piece;
  if ('memory' in piece) return { role, from: 0, frames: piece.frames, ...ownerOf(piece) };
  return { role, from: piece.from, frames: piece.to - piece.from, ...ownerOf(piece) };
}

/** Returns where a frame of the rendition starts, in bytes from its first audio frame. */
function bytePositions(body: Piece[], parts: Part[]): (frame: number) => number {
  const positions = body.map((piece) =>
    'memory' in piece
      ? { bytes: piece.memory.length, until: (frame: number) => (frame * piece.memory.length) / piece.frames }
      : positionsIn(piece.recording.index, piece.from, piece.to),
  );
  const starts = startsOf(positions);
  return (frame) => {
    const partIndex = parts.findIndex(({ start, frames }) => frame < start + frames);
    const { from, start } = parts[partIndex]!;
    return starts[partIndex]! + positions[partIndex]!.until(from + frame - start);
  };
}

/** Sources are identified by content hash, not by key: moving them does not change the file. */
function hashOf(segments: Segment[], body: Piece[]): string {
  const contentOf = new Map<string, string>();
  for (const piece of body) if ('recording' in piece) contentOf.set(piece.recording.key, piece.recording.sha256);
  const hash = createHash('sha256');
  // joined, because a thousand small updates take longer than the rest of a rendition
  let text = 'rendition 1\n';
  for (const { bytes, from } of segments) {
    if ('memory' in from) {
      hash.update(`${text}memory ${bytes}\n`).update(from.memory);
      text = '';
    } else text += `object ${contentOf.get(from.key)} ${from.start} ${bytes}\n`;
  }
  return hash.update(text).digest('hex');
}
