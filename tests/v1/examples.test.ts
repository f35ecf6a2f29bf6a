import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { examplesOf } from '~/server/doors/v1/examples';
import { V1_TABLE } from '~/server/doors/v1/table';
import { attackedServer } from '../support/attacked-server';
import { keyMaker } from '../support/v1-client';
import { v1Things } from '../support/v1-things';

const run = promisify(execFile);
const opened = await attackedServer();
const { runtime, lucia, podcast, paidPodcast, episodes, port } = opened;
const episode = episodes.podcast.public;
const pathOf = await v1Things({ runtime, owner: lucia, show: podcast, paid: paidPodcast, episode });
const env = { ...process.env, ALTAVOZ_KEY: await keyMaker(opened)(lucia) };
const appUrl = `http://localhost:${port}`;

const SHOWN = V1_TABLE.filter(({ isExample }) => isExample);
const programs = SHOWN.flatMap((call) => {
  const { example } = call;
  // each program makes another one of what has a name of its own
  const bodyFor = (language: string) => example && withOwnName(example, language);
  return (['curl', 'python', 'typescript'] as const).map((language) => {
    const body = bodyFor(language);
    const text = examplesOf(call, { appUrl, path: pathOf(call), ...(body && { body }) })[language];
    return [`${call.method} ${call.path}`, language, text] as const;
  });
});

function withOwnName(example: Record<string, unknown>, language: string): Record<string, unknown> {
  const own: Record<string, unknown> = { ...example };
  if ('email' in own) own.email = `${language}@mail.example`;
  if ('code' in own) own.code = language.toUpperCase();
  if ('show_id' in own) own.show_id = 'code' in own ? paidPodcast.id : podcast.id;
  return own;
}

const COMMANDS = {
  curl: (text: string) => run('bash', ['-c', text.replace('curl ', 'curl -sS --fail ')], { env }),
  python: (text: string) => run('python3', ['-c', text], { env }),
  typescript: (text: string) => run(process.execPath, ['--input-type=module', '-e', text], { env }),
};

test('every resource has an example of its main call', () => {
  const chapters = new Set(V1_TABLE.map(({ chapter }) => chapter));

  expect([...chapters].filter((chapter) => !SHOWN.some((call) => call.chapter === chapter))).toEqual([]);
});

test.each(programs)('%s works in %s', async (_, language, text) => {
  const { stdout } = await COMMANDS[language](text);

  expect(stdout.trim()).toMatch(/^\{/);
});
