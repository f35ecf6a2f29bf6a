import { expect, test } from 'vitest';
import { isRecordingName, problemOf, recordingName } from '~/app/features/studio/recorder/record-problem';

test.each([
  ['NotAllowedError', 'denied'],
  ['SecurityError', 'denied'],
  ['NotFoundError', 'missing'],
  ['NotReadableError', 'busy'],
  ['TypeError', 'failed'],
])('the browser’s %s means: %s', (name, problem) => {
  expect(problemOf(Object.assign(new Error(name), { name }))).toBe(problem);
});

test('a recording is recognised by its name, also after a reload', () => {
  const name = recordingName(new Date(2026, 10, 7, 9, 5, 3));

  expect(name).toBe('recording-20261107-090503.mp3');
  expect([isRecordingName(name), isRecordingName('recording.mp3'), isRecordingName('')]).toEqual([true, false, false]);
});
