import { spawn } from 'node:child_process';
import { setPriority, tmpdir } from 'node:os';
import type { SpeechPort } from './port';

/** Some minutes of speech take less than a second alone. */
const TIMEOUT_MS = 120_000;
/** 400 of the longest words, spelt letter by letter, at 22,050 samples per second. */
const MAX_BYTES = 400 * 1024 * 1024;
/** Answering requests takes priority. */
const NICE = 10;
/** Contains none of the server's secrets. */
const ENVIRONMENT = { NODE_ENV: 'production', PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' } as const;
const WAV_HEADER = 44;

/**
 * The program espeak-ng, which runs once for each text. Texts arrive at its standard input, never in an argument, and
 * words contain no characters that it reads as commands.
 */
export function espeak(program: string): SpeechPort {
  let voices: Promise<string[]> | null = null;
  return {
    async findVoice(language) {
      // asked again after a failure
      voices ??= listVoices(program).catch((error) => {
        voices = null;
        throw error;
      });
      return voiceFor(language, await voices);
    },
    speak: (words, voice) =>
      speak(program, words.map(({ text, volume }) => `\u0001${volume}A ${text}`).join(' '), voice),
  };
}

/** Voices with a better pronunciation than the first one of their language. */
const PREFERRED: Record<string, string> = { en: 'en-us', fr: 'fr-fr', zh: 'cmn' };

function voiceFor(language: string, voices: string[]): string | null {
  const wanted = language.toLowerCase();
  const base = wanted.split('-')[0]!;
  const candidates = [wanted, PREFERRED[base] ?? base, base];
  return (
    candidates.find((voice) => voices.includes(voice)) ?? voices.find((voice) => voice.startsWith(`${base}-`)) ?? null
  );
}

async function listVoices(program: string): Promise<string[]> {
  const table = (await run(program, ['--voices'], '')).toString();
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => line.trim().split(/\s+/)[1]?.toLowerCase() ?? []);
}

async function speak(
  program: string,
  text: string,
  voice: string,
): Promise<{ samples: Int16Array; sampleRate: number }> {
  const wav = await run(program, ['-v', voice, '-b', '1', '--stdin', '--stdout'], text);
  if (wav.length < WAV_HEADER || wav.toString('latin1', 0, 4) !== 'RIFF') throw new Error('espeak-ng wrote no sound');
  const count = (wav.length - WAV_HEADER) >> 1;
  const samples = new Int16Array(count);
  for (let i = 0; i < count; i++) samples[i] = wav.readInt16LE(WAV_HEADER + 2 * i);
  return { samples, sampleRate: wav.readUInt32LE(24) };
}

function run(program: string, args: string[], input: string): Promise<Buffer> {
  const child = spawn(program, args, { cwd: tmpdir(), env: ENVIRONMENT, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
  const parts: Buffer[] = [];
  let bytes = 0;
  let messages = '';
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= MAX_BYTES) parts.push(part);
    else child.kill('SIGKILL');
  });
  child.stderr.on('data', (part: Buffer) => {
    messages = (messages + part).slice(0, 500);
  });
  // the reason why the program ended is more useful than the broken pipe
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('spawn', () => lowerPriority(child.pid));
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0 && bytes <= MAX_BYTES) resolve(Buffer.concat(parts));
      else reject(new Error(`espeak-ng ended with ${status}: ${messages}`));
    });
  });
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, NICE);
  } catch {
    // it has ended already
  }
}
