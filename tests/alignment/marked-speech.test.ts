import { expect, test } from 'vitest';
import { markedVolume, plainVolume, spansOfWords } from '~/server/alignment/marked-speech';
import { TOY_RATE, toySpeak, toySpeech, toyWords } from '../support/toy-voice';

const words = toyWords(60);

test('the volume of each word tells where it is', async () => {
  const { plain, marked } = await speakTwice(words);

  const spans = spansOfWords(plain, marked, words.length);

  const { spans: expected } = toySpeech(words);
  for (const [i, [from, to]] of spans.entries()) {
    expect(Math.abs((1000 * from) / TOY_RATE - expected[i]![0])).toBeLessThan(25);
    expect(Math.abs((1000 * to) / TOY_RATE - expected[i]![1])).toBeLessThan(25);
  }
});

test('a word that is said as a part of the word before it shares its time', async () => {
  const said = words.filter((_, i) => i !== 20);
  const { spans: expected } = toySpeech(said);
  // word 20 has no sound, and the words after it keep their own volumes
  const { plain, marked } = await speakTwice(said, (i) => markedVolume(i < 20 ? i : i + 1));

  const spans = spansOfWords(plain, marked, words.length);

  expect(spans[19]![1]).toBe(spans[20]![0]);
  expect(Math.abs((1000 * spans[21]![0]) / TOY_RATE - expected[20]![0])).toBeLessThan(25);
  expect(Math.abs((1000 * spans[59]![0]) / TOY_RATE - expected[58]![0])).toBeLessThan(25);
});

async function speakTwice(text: string[], volumeOf = markedVolume) {
  const [plain, marked] = await Promise.all(
    [plainVolume, volumeOf].map((volume) => toySpeak(text.map((word, i) => ({ text: word, volume: volume(i) })))),
  );
  return { plain: plain!.samples, marked: marked!.samples };
}
