import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { atEnd } from 'stripe-sandbox/testing/at-end';
import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '~/locales/languages';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { guideCode } from '../support/guide-code';
import { mp3 } from '../support/mp3';
import { keyMaker } from '../support/v1-client';

const run = promisify(execFile);
const opened = await attackedServer();
const { lucia, podcast, port, checkNewAudio } = opened;
const key = await keyMaker(opened)(lucia, ['shows:read', 'episodes:write']);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guide-'));
atEnd(() => fs.rmSync(folder, { recursive: true }));
fs.writeFileSync(path.join(folder, 'wave.mp3'), mp3(4));
fs.writeFileSync(path.join(folder, '.curlrc'), `connect-to = "${APP_HOST}:127.0.0.1:${port}"\n`);

/** Runs commands as a reader of the guide does, with the address of the installation and the id of the show. */
async function follow(language: Language, guide: string, commands: string[]): Promise<string> {
  const script = commands.join('\n').replaceAll('https://altavoz.example', `http://${APP_HOST}`);
  const own = script.replaceAll('/v1/shows/1/', `/v1/shows/${podcast.id}/`);
  const env = { ...process.env, CURL_HOME: folder, ALTAVOZ_KEY: key };
  const { stdout } = await run('bash', ['-e', '-o', 'pipefail', '-c', own], { cwd: folder, env });
  expect(stdout, `${language}/${guide}`).not.toBe('');
  return stdout;
}

const episodeNamed = async (name: string) => {
  const { items } = await lucia.api.episodes.list({ productId: podcast.id, search: name });
  return items.find((episode) => episode.name === name);
};

test.each([
  ['en', 'The first wave', 'The second wave'],
  ['es', 'La primera ola', 'La segunda ola'],
] as const)('the three calls of the %s guide publish an episode with an email', async (language, uploaded, fetched) => {
  const [ticket, send, create, atOnce] = guideCode(language, 'publish-an-episode', 'bash');

  const printed = await follow(language, 'publish-an-episode', [ticket!, send!, create!]);
  const second = JSON.parse((await follow(language, 'publish-an-episode', [atOnce!])).trim());
  await checkNewAudio();

  expect(printed).toMatch(/in_progress http:\S+\n$/);
  expect(await episodeNamed(uploaded)).toMatchObject({ status: 'published', sendEmail: true, type: 'public' });
  expect(second).toMatchObject({ name: fetched, is_held: false, audio: { status: 'fetching' } });
});

test.each(LANGUAGES)(
  'the commands of the %s guide about apps describe the server and register one',
  async (language) => {
    const [describe, register] = guideCode(language, 'apps', 'bash');

    expect(JSON.parse(await follow(language, 'apps', [describe!]))).toHaveProperty('token_endpoint');
    expect(JSON.parse(await follow(language, 'apps', [register!])).client_id).toMatch(/^app_/);
  },
);
