/** The thread that compares a sound with a spoken text; time-in-thread.ts starts it and talks to it. */
import { parentPort, workerData } from 'node:worker_threads';
import { openStreamDecoder, toMono } from '../audio/decode';
import type { MeterFormat } from '../audio/peaks';
import { FEATURES_PER_SECOND, type Features, featureMeter } from '../audio/speech-features';
import type { TimedCue } from '../transcript/model';
import { alignSound, type StepSpan } from './align-sound';
import { spansOfWords } from './marked-speech';
import type { Sentence } from './script';
import { timedCues } from './timed-cues';

/** Whole frames of the sound; then the spoken words; then the sentences, which begin the comparison. */
export type TimingInput =
  | { bytes: Uint8Array; frames: number }
  | { plain: Int16Array; marked: Int16Array; sampleRate: number; words: number }
  | { sentences: Sentence[]; spoken: boolean[] };
/** `next`: the last message is done. `share`: of the comparison. */
export type TimingReply = { next: true } | { share: number } | { cues: TimedCue[] };

const port = parentPort;
const post = (reply: TimingReply) => port?.postMessage(reply);

async function runTask(format: MeterFormat): Promise<void> {
  const sound = await soundMeter(format);
  const speech = speechMeter();
  port?.on('message', (input: TimingInput) => {
    if ('bytes' in input) sound.add(input.bytes, input.frames);
    else if ('plain' in input) speech.add(input);
    else {
      const { features, spans } = speech.done();
      const aligned = alignSound(sound.done(), { features, spans }, { report: (share) => post({ share }) });
      return post({ cues: timedCues(input.sentences, { spoken: input.spoken, spans }, aligned) });
    }
    post({ next: true });
  });
  post({ next: true });
}

async function soundMeter(format: MeterFormat) {
  const decoder = await openStreamDecoder(format);
  const meter = featureMeter(format.sampleRate);
  return {
    add(bytes: Uint8Array, frames: number): void {
      for (const channels of decoder.decode(bytes, frames)) meter.add(toMono(channels));
    },
    done(): Features {
      decoder.free();
      return meter.done();
    },
  };
}

/** Joins the features of the parts of a spoken text. */
function speechMeter() {
  const parts: Features[] = [];
  const spans: StepSpan[] = [];
  let frames = 0;
  return {
    add({ plain, marked, sampleRate, words }: Extract<TimingInput, { plain: Int16Array }>): void {
      const meter = featureMeter(sampleRate);
      meter.add(Float32Array.from(plain, (sample) => sample / 32_768));
      const part = meter.done();
      const toStep = (sample: number) => frames + Math.round((sample / sampleRate) * FEATURES_PER_SECOND);
      for (const [from, to] of spansOfWords(plain, marked, words)) spans.push([toStep(from), toStep(to)]);
      parts.push(part);
      frames += part.frames;
    },
    done(): { features: Features; spans: StepSpan[] } {
      const values = new Float32Array(parts.reduce((sum, part) => sum + part.values.length, 0));
      let at = 0;
      for (const part of parts) {
        values.set(part.values, at);
        at += part.values.length;
      }
      return { features: { frames, values }, spans };
    },
  };
}

void runTask(workerData as MeterFormat);
