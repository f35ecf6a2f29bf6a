import { drawPicture, type PictureContent, SHAPES, type Shape, waveOf } from './draw-picture';

type Wanted = { soundbiteId: number; shape: Shape; content: PictureContent; signal: AbortSignal };

/**
 * An MP4 of the soundbite, encoded by the server from a picture of each caption; null if it can't encode videos. @throws an error with the server's text
 * if it refuses
 */
export async function encodeOnServer({ soundbiteId, shape, content, signal }: Wanted): Promise<Blob | null> {
  const { width, height } = SHAPES[shape];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('this browser has no canvas');
  const { durationMs } = content;
  const later = content.captions.map(({ startMs }) => Math.round(startMs)).filter((at) => at > 0 && at < durationMs);
  const fromMs = [...new Set([0, ...later])].sort((a, b) => a - b);
  const form = new FormData();
  form.append('plan', JSON.stringify({ fromMs, wave: waveOf(shape) }));
  const moments = [...fromMs.map((atMs) => ({ atMs, playedMs: -1 })), { atMs: 0, playedMs: durationMs }];
  for (const [i, moment] of moments.entries()) {
    drawPicture(context, shape, { content, ...moment });
    form.append('picture', await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 }), `${i}.jpg`);
  }
  const response = await fetch(`/soundbite-videos/${soundbiteId}`, { method: 'POST', body: form, signal });
  if (response.ok) return response.blob();
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  if (code === 'soundbite.video_unavailable') return null;
  throw new Refused(detail);
}

/** The server's reason, in the user's language. */
export class Refused extends Error {}
