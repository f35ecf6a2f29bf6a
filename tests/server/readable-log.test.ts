import { expect, test } from 'vitest';
import { formatLine } from '~/server/watching/readable-log';

test('a line shows its fields without ids, time and level', () => {
  const line = formatLine({ level: 'info', time: 'now', msg: 'request', requestId: 'r1', path: '/a', status: 200 });

  expect(line).toBe('request path=/a status=200');
});

test('an error shows its ids and its stack', () => {
  const line = formatLine({ level: 'error', msg: 'job failed', jobId: 'j1', err: { stack: 'Error: no\n    at x' } });

  expect(line).toBe('job failed jobId=j1\nError: no\n    at x');
});

test('control characters of a path do not reach the terminal', () => {
  expect(formatLine({ level: 'info', msg: 'request', path: '/a\u0000\u001b[2J\n' })).toBe(
    'request path=/a%00%1B[2J%0A',
  );
});
