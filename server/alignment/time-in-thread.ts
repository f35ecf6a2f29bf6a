import type { ByteSource } from '../audio/bytes';
import { readFrames } from '../audio/frame-reader';
import type { FrameIndex } from '../audio/indexing';
import { startThread } from '../audio/thread';
import { openInbox } from '../audio/thread-inbox';
import type { TimedCue } from '../transcript/model';
import { markedVolume, plainVolume } from './marked-speech';
import { type Sentence, spokenWord } from './script';
import type { TimingInput, TimingReply } from './timing-thread';

type SpokenWord = { text: string; volume: number };
/** Mono samples of words, each at its volume in percent. */
export type Speak = (words: SpokenWord[]) => Promise<{ samples: Int16Array; sampleRate: number }>;

/** Words that are spoken together: two minutes or three. */
const PART_WORDS = 400;
/** For a thread that hangs. Ten minutes of sound are compared within seconds, and of several times that when busy. */
const STEP_TIMEOUT_MS = 300_000;

/**
 * When each word of a text is said in an MP3, on a thread. Reads the sound once; its memory grows by about 10 MB per hour.
 * @param report called with the share of all work that is done
 * @throws if the thread exits or hangs, and what `speak` throws
 */
export async function timeInThread(
  { source, index }: { source: ByteSource; index: FrameIndex },
  { sentences, speak }: { sentences: Sentence[]; speak: Speak },
  report: (share: number) => Promise<void>,
): Promise<TimedCue[]> {
  const { sampleRate, channels, samplesPerFrame } = index;
  const thread = startTiming({ sampleRate, channels, samplesPerFrame });
  try {
    let read = 0;
    for await (const { bytes, frames } of readFrames(source, index)) {
      await thread.reply();
      thread.send({ bytes: bytes.slice(), frames });
      read += frames;
      await report((SHARES.sound * read) / index.frames);
    }
    const words = sentences.flatMap((sentence) => sentence.words.map(spokenWord));
    const said = words.filter((word) => word !== null);
    for (let from = 0; from < said.length; from += PART_WORDS) {
      const part = said.slice(from, from + PART_WORDS);
      const speech = await speakTwice(part, speak);
      await thread.reply();
      thread.send(speech);
      await report(SHARES.sound + (SHARES.speech * from) / said.length);
    }
    await thread.reply();
    thread.send({ sentences, spoken: words.map((word) => word !== null) });
    for (;;) {
      const reply = await thread.reply();
      if ('cues' in reply) return reply.cues;
      if ('share' in reply) await report(SHARES.sound + SHARES.speech + reply.share * SHARES.comparison);
    }
  } finally {
    await thread.end();
  }
}

async function speakTwice(words: string[], speak: Speak) {
  const [plain, marked] = await Promise.all(
    [plainVolume, markedVolume].map((volumeOf) => speak(words.map((text, i) => ({ text, volume: volumeOf(i) })))),
  );
  return { plain: plain!.samples, marked: marked!.samples, sampleRate: plain!.sampleRate, words: words.length };
}

/** About how the time is divided. */
const SHARES = { sound: 0.35, speech: 0.3, comparison: 0.35 } as const;

function startTiming(format: Pick<FrameIndex, 'sampleRate' | 'channels' | 'samplesPerFrame'>) {
  const file = { built: 'timing-thread', source: new URL('./timing-thread.ts', import.meta.url) };
  const worker = startThread(file, { workerData: format, stderr: true });
  const inbox = openInbox<TimingReply>();
  worker.on('message', inbox.put);
  worker.on('error', inbox.fail);
  worker.on('exit', (status) => inbox.fail(new Error(`the timing thread ended with ${status}`)));
  // the decoder prints to the console
  worker.stderr.resume();
  return {
    send: (input: TimingInput) => worker.postMessage(input),
    reply: () => inbox.next(STEP_TIMEOUT_MS),
    end: () => worker.terminate(),
  };
}
