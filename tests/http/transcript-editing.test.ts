import { expect, test } from 'vitest';
import { later, SECONDS } from '~/server/base/time';
import '../support/matchers';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, clock, pauseAt } = await cast();
const app = pagesApp(runtime, env.urls);
const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});
const [episode] = await make.episodes(show, 1);
const id = episode!.id;
const page = `${env.urls.appUrl}/podcasts/${show.id}/episodes/${id}/transcript`;
const { host, origin } = new URL(env.urls.appUrl);
const headers = { cookie: `token=${owner.token}; language=en`, host, origin };

const VTT = 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ana>Helo\n\n00:02.500 --> 00:04.000\n<v Ana>The sea\n';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const upload = (text = VTT) => owner.api.episodes.uploadTranscript({ id, fileName: 'talk.vtt', content: base64(text) });
const edit = (editOf: Date, text: string) =>
  owner.api.episodes.uploadTranscript({ id, fileName: 'talk.vtt', editOf, content: base64(text) });
const stored = async () => (await owner.api.episodes.transcript({ id }))!;
const open = async (query = '') => (await app.request(page + query, { headers })).text();

test('the text of a transcript is edited in a form, and keeps its times and its speaker', async () => {
  await upload();
  const html = await open('?edit=1');
  const editOf = /name="editOf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  // a browser sends line ends like this
  const body = new URLSearchParams({
    intent: 'edit',
    editOf,
    fileName: 'talk.vtt',
    text: 'Ana: Hello\r\n\r\nAna: The sea',
  });

  const response = await app.request(`${page}?edit=1`, { headers, method: 'POST', body });

  expect(html).toContain('Ana: Helo\n\nAna: The sea</textarea>');
  expect(await open()).not.toContain('name="editOf"');
  expect(response.headers.get('location')).toContain('transcript?done=transcript_saved');
  expect(await stored()).toMatchObject({
    source: 'vtt',
    fileName: 'talk.vtt',
    excerpt: [
      { startMs: 1000, endMs: 2500, speaker: 'Ana', text: 'Hello' },
      { startMs: 2500, endMs: 4000, speaker: 'Ana', text: 'The sea' },
    ],
  });
});

test('the text of a transcript that was replaced meanwhile is not saved over the new one', async () => {
  await upload();
  const { updatedAt } = await stored();
  const pause = pauseAt('transcript.edited');
  const saving = edit(updatedAt, 'Ana: Hello');
  await pause.reachedBy(saving);
  clock.now = later(clock.now, SECONDS(1));
  await upload(VTT.replace('The sea', 'The wind'));
  pause.goOn();

  await expect(saving).toFailWith('episode.already_changed');
  await expect(edit(updatedAt, 'Ana: Hello')).toFailWith('episode.already_changed');
  expect((await stored()).excerpt[1]).toMatchObject({ text: 'The wind' });
});

test('an empty text is refused, and stays no transcript', async () => {
  await upload();
  const { updatedAt } = await stored();

  await expect(edit(updatedAt, ' \n ')).toFailWith('transcript.empty');
  expect((await stored()).cues).toBe(2);
});
