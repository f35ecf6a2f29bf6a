import captureUrl from './capture.worklet?worker&url';
import type { FromEncoder, ToEncoder } from './encoder-messages';
import type { RecordProblem } from './record-problem';

/** Why a recording could not begin, or was lost. */
export class RecordError extends Error {
  constructor(readonly problem: RecordProblem) {
    super(problem);
  }
}

type Heard = { seconds: number; peak: number };
type Options = {
  longestMs: number;
  /** Called some twenty times a second. `peak`: from 0 to 1. */
  onHeard: (heard: Heard) => void;
  /** The time is over, or the microphone was unplugged: the recording should be stopped. */
  onOver: () => void;
  onFailed: () => void;
};

/** `stop`: the recording as MP3. `cancel`: frees the microphone and throws the recording away. */
export type Recording = { stop: () => Promise<Blob>; cancel: () => void };

/**
 * Records the microphone and encodes it to MP3 meanwhile, in a worker. @throws RecordError; the browser's own errors of
 * getUserMedia
 */
export async function startRecording(options: Options): Promise<Recording> {
  const encoder = await openEncoder(options.onFailed);
  const undo: (() => void)[] = [encoder.close];
  const cancel = () => {
    for (const close of undo.splice(0)) close();
  };
  try {
    // echo cancellation would take parts out of a voice, and nothing plays
    const audio = { channelCount: 1, echoCancellation: false };
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    undo.push(() => {
      for (const track of stream.getTracks()) track.stop();
    });
    for (const track of stream.getTracks()) track.addEventListener('ended', options.onOver);
    const context = new AudioContext();
    undo.push(() => void context.close());
    await context.audioWorklet.addModule(captureUrl);
    encoder.send({ kind: 'start', sampleRate: context.sampleRate });
    const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0, channelCount: 1 });
    capture.port.onmessage = takeSamples(context.sampleRate, encoder.send, options);
    context.createMediaStreamSource(stream).connect(capture);
    await context.resume();
    const stop = async () => {
      capture.port.onmessage = null;
      const mp3 = encoder.finish();
      for (const close of undo.splice(1)) close();
      return mp3.finally(cancel);
    };
    return { stop, cancel };
  } catch (error) {
    cancel();
    throw error;
  }
}

type Send = (message: ToEncoder, transfer?: Transferable[]) => void;

/** Passes samples on until the time is over. */
function takeSamples(sampleRate: number, send: Send, { longestMs, onHeard, onOver }: Options) {
  const most = Math.floor((longestMs / 1000) * sampleRate);
  let count = 0;
  return ({ data }: MessageEvent<Float32Array>) => {
    const samples = data.subarray(0, most - count);
    if (samples.length === 0) return;
    count += samples.length;
    let peak = 0;
    for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
    onHeard({ seconds: count / sampleRate, peak });
    send({ kind: 'samples', samples }, [samples.buffer]);
    if (count >= most) onOver();
  };
}

/** The worker with the encoder, once it is loaded. @throws RecordError `failed` */
async function openEncoder(onFailed: () => void) {
  const worker = new Worker(new URL('./encode-recording.worker.ts', import.meta.url), { type: 'module' });
  let settle: { resolve: (mp3: Blob | null) => void; reject: (error: RecordError) => void } | null = null;
  const next = () => new Promise<Blob | null>((resolve, reject) => (settle = { resolve, reject }));
  const fail = () => (settle ? settle.reject(new RecordError('failed')) : onFailed());
  worker.onerror = fail;
  worker.onmessage = ({ data }: MessageEvent<FromEncoder>) => {
    if (data.kind === 'failed') return fail();
    settle?.resolve(data.kind === 'done' ? data.mp3 : null);
    settle = null;
  };
  const send: Send = (message, transfer = []) => worker.postMessage(message, transfer);
  const close = () => worker.terminate();
  await next().catch((error) => {
    close();
    throw error;
  });
  const finish = async (): Promise<Blob> => {
    const done = next();
    send({ kind: 'finish' });
    const mp3 = await done;
    if (!mp3) throw new RecordError('failed');
    return mp3;
  };
  return { send, finish, close };
}
