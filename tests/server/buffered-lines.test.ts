import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const run = (end: string) =>
  spawnSync(
    process.execPath,
    [
      ...['--import', 'tsx', '--input-type=module', '-e'],
      `import { bufferedLines, createLog, lineWriter } from '~/server/watching/log';
       const log = createLog('info', bufferedLines());
       log.info({ show: 'La Tarde 📻' }, 'first');
       lineWriter(log).write('{"msg":"'.padEnd(100_000, 'ñ') + '"}\\n');
       log.info('last');
       ${end}`,
    ],
    { encoding: 'utf8' },
  );

test.each([
  ['exits', 'process.exit(3)', 3],
  ['ends', '', 0],
  ['fails', 'setTimeout(() => { throw new Error("defect") })', 1],
])('a process that %s has written every line whole', (_, end, status) => {
  const { stdout, status: ended } = run(end);
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(ended).toBe(status);
  expect(messages.map(({ msg }) => msg.length)).toEqual(['first'.length, 100_000 - '{"msg":"'.length, 'last'.length]);
  expect(messages[0].show).toBe('La Tarde 📻');
});
