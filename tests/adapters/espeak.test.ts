import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { espeak } from '~/server/adapters/speech/espeak';
import { markedVolume, plainVolume, spansOfWords } from '~/server/alignment/marked-speech';
import { toolPath } from '../support/tools';

const folder = await mkdtemp(join(tmpdir(), 'altavoz-espeak-'));
afterAll(() => rm(folder, { recursive: true }));

/** A program that records its arguments and its input, and writes what `body` says. */
async function fake(name: string, body: string) {
  const program = join(folder, name);
  await writeFile(program, `#!/bin/sh\necho "$@" >> ${program}.args\ncat >> ${program}.in\n${body}\n`, { mode: 0o755 });
  return { program, args: () => readFile(`${program}.args`, 'utf8'), input: () => readFile(`${program}.in`, 'utf8') };
}

const loud = (text: string) => ({ text, volume: 100 });

const VOICES = `Pty Language Age/Gender VoiceName File Other
 5  en-gb  --/M English_(GB) gmw/en
 2  en-us  --/M English_(US) gmw/en-US
 5  es  --/M Spanish roa/es
 5  es-419  --/M Spanish roa/es-419
 5  fr-be  --/M French roa/fr-BE`;

test.each([
  ['en', 'en-us'],
  ['en-GB', 'en-gb'],
  ['es', 'es'],
  ['es-MX', 'es'],
  ['fr', 'fr-be'],
  ['xx', null],
])('the voice of %s is %s', async (language, voice) => {
  const { program } = await fake('voices', `cat <<'END'\n${VOICES}\nEND`);

  expect(await espeak(program).findVoice(language)).toBe(voice);
});

test('words reach the program at its standard input only', async () => {
  const wav = join(folder, 'one.wav');
  const header = Buffer.alloc(44);
  header.write('RIFF');
  header.writeUInt32LE(22_050, 24);
  await writeFile(wav, Buffer.concat([header, Buffer.alloc(200)]));
  const { program, args, input } = await fake('speaker', `cat ${wav}`);

  const speech = await espeak(program).speak([loud('$(id)'), { text: 'two', volume: 80 }], 'es');

  expect(speech).toMatchObject({ sampleRate: 22_050, samples: new Int16Array(100) });
  expect(await args()).not.toContain('id');
  expect(await input()).toContain('\u0001100A $(id) \u000180A two');
});

test.each([
  ['fails', 'echo "no such voice" >&2; exit 1', /no such voice/],
  ['writes no sound', 'echo hello', /no sound/],
])('a program that %s is an error', async (name, body, message) => {
  const { program } = await fake(name.replaceAll(' ', '-'), body);

  await expect(espeak(program).speak([loud('one')], 'es')).rejects.toThrow(message);
});

test('a missing program is an error', async () => {
  await expect(espeak(join(folder, 'none')).speak([loud('one')], 'es')).rejects.toThrow(/ENOENT/);
});

const installed = toolPath('espeak-ng');

test.skipIf(installed === null)('espeak-ng, where installed, tells where each word is', async () => {
  const words = 'Hola a todos, hoy hablamos de 25 barcos en el puerto de Sevilla.'.split(' ');
  const speech = espeak(installed!);

  const voice = (await speech.findVoice('es'))!;
  const speak = async (volumeOf: (i: number) => number) =>
    (
      await speech.speak(
        words.map((text, i) => ({ text, volume: volumeOf(i) })),
        voice,
      )
    ).samples;
  const [plain, marked] = await Promise.all([speak(plainVolume), speak(markedVolume)]);

  const spans = spansOfWords(plain, marked, words.length);
  expect(spans.flat()).toEqual(spans.flat().sort((a, b) => a - b));
  expect(spans.every(([from, to]) => to - from > 400)).toBe(true);
  expect(spans.at(-1)![1]).toBeGreaterThan(plain.length * 0.7);
});
