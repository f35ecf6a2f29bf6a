import { expect, test } from 'vitest';
import { fileNameOf, unsupportedFormat } from '~/server/domain/media/download-audio';

test.each([
  ['https://a.example/x.mp3?token=1', false, null],
  ['https://a.example/x.m4a', false, 'M4A'],
  ['https://a.example/x.m4a', true, null],
  ['https://a.example/x.wma', true, 'WMA'],
  ['https://a.example/stream', false, null],
])('%s, with FFmpeg: %s, is unsupported as %s', (url, convertsAudio, format) => {
  expect(unsupportedFormat(url, { convertsAudio })).toBe(format);
});

test('a file is named after the last part of its address', () => {
  expect(fileNameOf('https://a.example/b/Mi%20episodio.mp3?x=1')).toBe('Mi episodio.mp3');
  expect(fileNameOf('https://a.example/%E0%A4%A')).toBe('%E0%A4%A');
  expect(fileNameOf('https://a.example/')).toBe('audio.mp3');
});
