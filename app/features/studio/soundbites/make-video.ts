import {
  AudioBufferSource,
  BufferTarget,
  CanvasSource,
  getFirstEncodableAudioCodec,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { drawPicture, type PictureContent, SHAPES, type Shape } from './draw-picture';

const FRAMES_PER_SECOND = 25;
const VIDEO_BITS = 3_000_000;
const AUDIO_BITS = 128_000;

type Video = {
  shape: Shape;
  content: PictureContent;
  sound: AudioBuffer;
  /** Other codecs, too, which some apps can't play. */
  allowsOthers: boolean;
  /** Called with the finished share, from 0 to 1. */
  onProgress(share: number): void;
  signal: AbortSignal;
};

/**
 * An MP4 of the soundbite, encoded by the browser with H.264 and AAC, which all apps play. Null if the browser has no such
 * encoder for video or for sound. @throws if the signal aborts, or the encoder fails
 */
export async function makeVideo({
  shape,
  content,
  sound,
  allowsOthers,
  onProgress,
  signal,
}: Video): Promise<Blob | null> {
  const { width, height } = SHAPES[shape];
  const { numberOfChannels, sampleRate } = sound;
  const [picture, audio] = await Promise.all([
    getFirstEncodableVideoCodec(allowsOthers ? ['avc', 'vp9', 'av1'] : ['avc'], { width, height, bitrate: VIDEO_BITS }),
    getFirstEncodableAudioCodec(allowsOthers ? ['aac', 'opus'] : ['aac'], {
      numberOfChannels,
      sampleRate,
      bitrate: AUDIO_BITS,
    }),
  ]);
  if (!picture || !audio) return null;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) return null;
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() });
  const frames = new CanvasSource(canvas, { codec: picture, bitrate: VIDEO_BITS });
  const samples = new AudioBufferSource({ codec: audio, bitrate: AUDIO_BITS });
  output.addVideoTrack(frames, { frameRate: FRAMES_PER_SECOND });
  output.addAudioTrack(samples);
  try {
    await output.start();
    await samples.add(sound);
    samples.close();
    const count = Math.ceil((content.durationMs / 1000) * FRAMES_PER_SECOND);
    for (let frame = 0; frame < count; frame += 1) {
      signal.throwIfAborted();
      const seconds = frame / FRAMES_PER_SECOND;
      drawPicture(context, shape, { content, atMs: seconds * 1000 });
      await frames.add(seconds, 1 / FRAMES_PER_SECOND);
      onProgress((frame + 1) / count);
    }
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
  const { buffer } = output.target;
  return buffer && new Blob([buffer], { type: 'video/mp4' });
}
