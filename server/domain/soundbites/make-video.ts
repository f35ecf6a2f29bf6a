import type { PictureBox, VideoParts } from '../../adapters/converter/port';
import { AppError, isDiskFull } from '../../base/errors';
import { earlier } from '../../base/time';
import { VIDEO_LIMITS } from '../../limits/soundbites';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { hasKnownSignature, loadSharp, withSlot } from '../media/covers';
import { videoBusy, videoInvalid, videoUnavailable } from './errors';
import { findSoundbiteRecord } from './queries';
import type { FindSoundbite, VideoPlan } from './schema';

/** `signal`: aborted when nobody waits for the video any more. */
type Exchange = {
  /** `lost`: aborted when a new client gets the place of this one. */
  receive(lost: AbortSignal): Promise<{ plan: VideoPlan; pictures: Buffer[] }>;
  send(video: Buffer): Promise<void>;
  signal: AbortSignal;
};

/** `receiving`: until the pictures are there. */
type Place = { since: Date; receiving: AbortController | null };

/** Each creator has one at a time; the others wait in the encoder's line. */
const making = new Map<number, Place>();

/**
 * A place for a creator. When all are taken, one whose pictures arrive slowly is lost: a few bad connections could
 * otherwise keep all other creators from their videos.
 * @throws soundbite.video_busy
 */
function takePlace(ctx: Ctx, creatorId: number): Place {
  const before = earlier(ctx.now(), VIDEO_LIMITS.slowAfter);
  const isFull = making.size >= VIDEO_LIMITS.waiting;
  const slow = isFull && [...making].find(([, { since, receiving }]) => receiving && since <= before);
  if (making.has(creatorId) || (isFull && !slow)) throw busy();
  if (slow) {
    making.delete(slow[0]);
    slow[1].receiving?.abort();
  }
  const place: Place = { since: ctx.now(), receiving: new AbortController() };
  making.set(creatorId, place);
  return place;
}

const busy = () => videoBusy({ seconds: VIDEO_LIMITS.retrySeconds });

/** @throws soundbite.video_busy if the place was lost meanwhile */
async function receiveIn(place: Place, { receive }: Pick<Exchange, 'receive'>) {
  const { signal } = place.receiving!;
  const received = await receive(signal).catch((error) => {
    throw signal.aborted ? busy() : error;
  });
  if (signal.aborted) throw busy();
  place.receiving = null;
  return received;
}

/**
 * An MP4 of a soundbite from pictures that its creator's browser has drawn, for browsers without an encoder that other
 * apps understand. The pictures are read once it is clear that the creator may have it, and the creator's place is free
 * again when the video was sent: until then, it is in memory.
 * @throws soundbite.not_found, soundbite.video_unavailable, soundbite.video_busy, soundbite.video_invalid
 */
export async function makeVideo(ctx: Ctx, { id }: FindSoundbite, { receive, send, signal }: Exchange): Promise<void> {
  const { soundbite } = await findSoundbiteRecord(ctx, id);
  const { creatorId, audioKey, startMs, endMs } = authorize(ctx, 'soundbite.manage', soundbite);
  const { encodeVideo, storage } = ctx.ports;
  if (!encodeVideo) throw videoUnavailable();
  const place = takePlace(ctx, creatorId);
  try {
    const { plan, pictures } = await receiveIn(place, { receive });
    const durationMs = endMs - startMs;
    const stills = stillsOf(plan.fromMs, durationMs);
    if (pictures.length !== stills.length + 1) throw videoInvalid();
    const redraw = redrawer(plan.wave);
    const video: VideoParts = {
      stills: stills.map((forMs, i) => ({ forMs, png: () => redraw(pictures[i]!) })),
      played: () => redraw(pictures.at(-1)!),
      wave: plan.wave,
      durationMs,
      signal,
      read: () => storage.read(audioKey),
    };
    const encoded = await encodeVideo(video).catch((err) => {
      if (signal.aborted || err instanceof AppError || isDiskFull(err)) throw err;
      ctx.log.error({ err, soundbiteId: id }, 'video not encoded');
      throw videoUnavailable();
    });
    await send(encoded);
  } finally {
    if (making.get(creatorId) === place) making.delete(creatorId);
  }
}

/** How long each picture is shown, in ms. The first one begins at once. */
function stillsOf(fromMs: number[], durationMs: number): number[] {
  const begins = [0, ...fromMs.slice(1), durationMs];
  const lengths = fromMs.map((_, i) => begins[i + 1]! - begins[i]!);
  if (lengths.some((length) => length <= 0)) throw videoInvalid();
  return lengths;
}

/** Decodes pictures of one size and writes them again, so that FFmpeg reads only what we have written. */
function redrawer(wave: PictureBox): (picture: Buffer) => Promise<Buffer> {
  let size: string | null = null;
  return async (picture) => {
    const { data, info } = await withSlot(() => decode(picture));
    const { width, height } = info;
    const isInside = wave.x + wave.width <= width && wave.y + wave.height <= height;
    size ??= `${width} ${height}`;
    if (!isInside || width % 2 === 1 || height % 2 === 1 || size !== `${width} ${height}`) throw videoInvalid();
    return data;
  };
}

async function decode(picture: Buffer) {
  const sharp = await loadSharp();
  if (!hasKnownSignature(picture)) throw videoInvalid();
  return sharp(picture, { limitInputPixels: VIDEO_LIMITS.pixels, failOn: 'error' })
    .removeAlpha()
    .toColourspace('srgb')
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true })
    .catch(() => Promise.reject(videoInvalid()));
}
