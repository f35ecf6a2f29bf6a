import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { atEnd } from 'stripe-sandbox/testing/at-end';
import { expect, test } from 'vitest';
import { LANGUAGES } from '~/locales/languages';
import { guideCode } from '../../support/guide-code';
import { webhookStage } from './webhook-stage';

const run = promisify(execFile);
const { lucia, episodes, create, deliver, at, clock } = await webhookStage();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'webhook-guide-'));
atEnd(() => fs.rmSync(folder, { recursive: true }));

const { id } = episodes.podcast.public;
const { secret, path: hook } = await create(['episode.updated']);
await lucia.api.episodes.update({ id, kind: 'podcast', name: 'Signed' });
await deliver();
const message = at(hook)[0]!;
const seconds = Math.floor(clock.now.getTime() / 1000);
type Sent = { body: string; headers: object; secret: string; seconds: number };
const sent: Sent = { body: message.body, headers: message.headers, secret: secret!, seconds };

/** Each prints what the guide's function returns, at the time of the message. */
const PROGRAMS = {
  ts: async (code: string, given: Sent) => {
    const file = path.join(folder, 'verify.mts');
    const call = `Date.now = () => ${given.seconds} * 1000;
      console.log(JSON.stringify(verify(${JSON.stringify(given.body)}, ${JSON.stringify(given.headers)}, ${JSON.stringify(given.secret)})));`;
    fs.writeFileSync(file, `${code}\n${call}`);
    return (await run(process.execPath, ['--import', 'tsx', file])).stdout;
  },
  python: async (code: string, given: Sent) => {
    const call = `import sys
sent = json.loads(sys.argv[1])
time.time = lambda: sent["seconds"]
print(json.dumps(verify(sent["body"].encode(), sent["headers"], sent["secret"])))`;
    return (await run('python3', ['-c', `${code}\n${call}`, JSON.stringify(given)])).stdout;
  },
};

const cases = LANGUAGES.flatMap((language) => (['ts', 'python'] as const).map((of) => [language, of] as const));

test.each(cases)('the program of the %s guide in %s accepts our message and no other', async (language, of) => {
  const [code] = guideCode(language, 'webhooks', of);
  const verify = (over: Partial<Sent> = {}) => PROGRAMS[of](code!, { ...sent, ...over });

  expect(JSON.parse(await verify())).toMatchObject({ type: 'episode.updated', data: { id } });
  await expect(verify({ body: sent.body.replace('updated', 'deleted') })).rejects.toThrow();
  await expect(verify({ secret: 'whsec_c2VjcmV0' })).rejects.toThrow();
  await expect(verify({ seconds: seconds + 3600 })).rejects.toThrow();
});
