import { expect, test } from 'vitest';
import { checkUpload, contentTypeFor } from '~/server/domain/media/rules';
import { AUDIO_LIMITS, COVER_LIMITS } from '~/server/limits/media';

const audio = { fileName: 'ep.mp3', contentType: 'audio/mpeg', fileSize: 1000, purpose: 'episode_audio' as const };
const cover = { fileName: 'c.png', contentType: 'image/png', fileSize: 1000, purpose: 'cover' as const };

test.each([
  [audio, null],
  [{ ...audio, contentType: '' }, null],
  [{ ...audio, contentType: 'audio/mp3', fileName: 'EP.MP3' }, null],
  [{ ...audio, fileSize: AUDIO_LIMITS.maxBytes }, null],
  [{ ...audio, fileSize: AUDIO_LIMITS.maxBytes + 1 }, 'upload.audio_too_large'],
  [{ ...audio, fileSize: 0 }, 'upload.empty'],
  [{ ...audio, fileName: 'ep.wav', contentType: 'audio/wav' }, 'upload.not_mp3'],
  [{ ...audio, fileName: 'ep.wav' }, 'upload.not_mp3'],
  [{ ...audio, contentType: 'text/html' }, 'upload.not_mp3'],
  [{ ...audio, fileName: 'mp3' }, 'upload.not_mp3'],
  [cover, null],
  [{ ...cover, fileName: 'c.JPEG', contentType: '' }, null],
  [{ ...cover, contentType: 'image/svg+xml' }, 'upload.not_an_image'],
  [{ ...cover, fileName: 'c.gif', contentType: '' }, 'upload.not_an_image'],
  [{ ...cover, fileSize: COVER_LIMITS.maxBytes + 1, purpose: 'avatar' as const }, 'upload.too_large'],
])('%j → %s', (file, code) => {
  expect(checkUpload(file, { convertsAudio: false })).toBe(code);
});

test.each([
  [audio, null, 'audio/mpeg'],
  [{ ...audio, fileName: 'ep.WAV', contentType: 'audio/x-wav' }, null, 'audio/wav'],
  [{ ...audio, fileName: 'ep.m4a', contentType: '' }, null, 'audio/mp4'],
  [{ ...audio, fileName: 'ep.flac', contentType: 'application/octet-stream' }, null, 'audio/flac'],
  [{ ...audio, fileName: 'ep.ogg', contentType: 'video/ogg' }, null, 'audio/ogg'],
  [{ ...audio, fileName: 'ep.opus', contentType: 'audio/opus' }, null, 'audio/ogg'],
  [{ ...audio, fileName: 'ep.wav', fileSize: AUDIO_LIMITS.maxBytes + 1 }, 'upload.audio_too_large', 'audio/wav'],
  [{ ...audio, fileName: 'ep.wav', contentType: 'text/html' }, 'upload.not_audio', null],
  [{ ...audio, fileName: 'ep.mp4', contentType: 'video/mp4' }, 'upload.not_audio', null],
  [{ ...audio, fileName: 'ep.m3u8', contentType: 'audio/mpegurl' }, 'upload.not_audio', null],
  [{ ...audio, fileName: 'constructor' }, 'upload.not_audio', null],
  [{ ...audio, fileName: 'ep.constructor' }, 'upload.not_audio', null],
  [{ ...audio, fileName: 'ep.wav', purpose: 'promo' as const }, 'upload.not_mp3', null],
])('with FFmpeg, %j → %s as %s', (file, code, type) => {
  expect([checkUpload(file, { convertsAudio: true }), contentTypeFor(file, { convertsAudio: true })]).toEqual([
    code,
    type,
  ]);
});

test('every spelling of a content type is stored as one', () => {
  expect(contentTypeFor({ ...audio, contentType: 'audio/x-mp3' }, { convertsAudio: false })).toBe('audio/mpeg');
  expect(contentTypeFor({ ...cover, contentType: 'image/jpg' }, { convertsAudio: false })).toBe('image/jpeg');
});
