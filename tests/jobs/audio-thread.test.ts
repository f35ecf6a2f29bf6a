import { expect, onTestFinished, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { measure } from '~/server/audio/peaks';
import { bundledAudio } from '../support/bundled-audio';
import { recordingOf } from '../support/decoding';
import { lameFrames } from '../support/encodings';

const clip = await lameFrames({ sampleRate: 44_100, channels: 2, seconds: 3 }, { bitrate: 128 });
const { source, index } = await recordingOf('clip', clip);

test('the bundled thread measures and conforms', async () => {
  const built = await bundledAudio();
  onTestFinished(built.remove);

  const measured = await built.measureInWorker(source, index);
  const conformed = await built.conformInWorker(bufferSource(clip), { ...index, bitrate: 96_000, lufs: null });

  expect(measured).toEqual(await measure(source, index));
  expect(conformed).toMatchObject({ ok: true, bitrate: 96_000 });
});
