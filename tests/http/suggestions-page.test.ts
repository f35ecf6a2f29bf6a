import { expect, test } from 'vitest';
import { runSuggestions } from '~/server/domain/suggestions/run-suggestions';
import { renderFeed } from '~/server/doors/feeds/feeds';
import { runSuggestions as runJob } from '~/server/queue/jobs/suggestions';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import { runJobs } from '../support/run-jobs';

const { runtime, env, make, ada } = await cast();
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});
const [episode] = await make.episodes(show, 1);
const id = episode!.id;
const content = Buffer.from('WEBVTT\n\n00:00.000 --> 00:03.000\nWelcome to the <i>blue</i> sea\n').toString('base64');
await owner.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', content });

const base = `${env.urls.appUrl}/podcasts/${show.id}`;
const page = `${base}/episodes/${id}/suggestions`;
const headersOf = ({ token }: { token: string }) => ({ cookie: `token=${token}; language=en`, host, origin });
const open = async (url: string, by: { token: string } = owner) => {
  const response = await app.request(url, { headers: headersOf(by) });
  return { status: response.status, html: await response.text() };
};
const send = (url: string, fields: Record<string, string>, by: { token: string } = owner) =>
  app.request(url, { headers: headersOf(by), method: 'POST', body: new URLSearchParams(fields) });

test('without a language model nothing of it is shown', async () => {
  const tabs = await Promise.all(
    [`${base}/episodes/${id}/transcript`, `${base}/episodes/${id}/chapters`].map((url) => open(url)),
  );

  expect(tabs.map(({ status }) => status)).toEqual([200, 200]);
  for (const { html } of tabs) expect(html).not.toContain('/suggestions');
  expect((await open(page)).status).toBe(404);
  expect((await send(page, { intent: 'start' })).status).toBeLessThan(500);
});

test('with one, a creator asks, waits without scripts, reads what is suggested as text, and takes it with a press', async () => {
  runtime.settings.suggests = true;
  runtime.ports.languageModel = {
    ask: async () => ({ title: { text: 'Sea & 3 < 4', quotes: [{ at: 0, quote: 'to the blue sea' }] } }),
    close: async () => {},
  };
  expect((await open(`${base}/episodes/${id}/transcript`)).html).toContain('/suggestions');
  expect((await open(`${base}/episodes/${id}/chapters`)).html).toContain('/suggestions');

  const offer = await open(page);
  const started = await send(page, { intent: 'start' });
  const running = await open(page);
  await runJobs(runtime, runJob.name, ({ runId }: { runId: number }, ctx) => runSuggestions(ctx, runId));
  const { html } = await open(page);
  const [, runId = ''] = /name="runId" value="(\d+)"/.exec(html) ?? [];
  const taken = await send(page, { intent: 'take', part: 'title', runId });

  expect(offer.html).toContain('You can ask 20 more times today.');
  expect(started.headers.get('location')).toContain('?done=suggestions_started');
  expect(running.html).toContain('>Refresh</a>');
  expect(html).toContain('Sea &amp; 3 &lt; 4');
  expect(html).toContain('to the blue sea');
  expect(taken.headers.get('location')).toContain('?done=suggestion_taken_title');
  expect((await owner.api.episodes.forEditing({ id })).name).toBe('Sea & 3 < 4');
  for (const fields of [
    { intent: 'take' },
    { intent: 'take', part: 'x', runId: 'y' },
    { intent: 'take', part: 'notes', runId },
  ])
    expect((await send(page, fields as Record<string, string>)).status).toBeLessThan(500);
  expect((await open(page, ada)).status).toBe(404);
});

test('the glossary is saved without scripts, and a refused line keeps the text', async () => {
  const settings = `${base}/settings/glossary`;

  const saved = await send(settings, { lines: 'Altavoz = alta voz\r\nLucía', editOf: '' });
  const { html } = await open(settings);
  const refused = await send(settings, { lines: '= nothing', editOf: /name="editOf" value="([^"]+)"/.exec(html)![1]! });
  const late = await send(settings, { lines: 'Other', editOf: '' });

  expect(saved.headers.get('location')).toContain('?done=glossary_saved');
  expect(html).toContain('Altavoz = alta voz\nLucía</textarea>');
  expect(refused.status).toBe(400);
  const page = await refused.text();
  expect(page).toContain('= nothing</textarea>');
  expect(page).toContain('This line can’t be used: “= nothing”.');
  expect([late.status, await late.text()]).toEqual([
    409,
    expect.stringContaining('has been changed in another window'),
  ]);
  expect((await send(settings, { lines: 'Mine', editOf: '' }, ada)).status).toBe(404);
});

test('the feed says that an episode is made with AI only where its creator does', async () => {
  const feed = async () => (await renderFeed(runtime, { domain: owner.domain, slug: show.slug })).body.toString();
  const before = await feed();
  await owner.api.episodes.update({ id, kind: 'podcast', aiContent: true });

  expect(before).not.toContain('ai-content');
  expect(await feed()).toContain('<podcast:txt purpose="ai-content">true</podcast:txt>');
});
