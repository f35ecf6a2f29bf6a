import { expect, test } from 'vitest';
import { clips } from '~/db/schema/insertions';
import { type Publisher, recommendationStage } from '../domain/recommendations/stage';
import { pagesApp } from '../support/pages-app';

const { runtime, db, env, publisher, ask, agree } = await recommendationStage();
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const [ana, ben] = await Promise.all([publisher('Anchors'), publisher('Bells')]);

async function open(path: string, { token }: Publisher): Promise<string> {
  const response = await app.request(env.urls.appUrl + path, { headers: { host, origin, cookie: `token=${token}` } });
  return response.text();
}
async function send(values: Record<string, string>, { token }: Publisher): Promise<void> {
  const headers = { host, origin, cookie: `token=${token}` };
  await app.request(`${env.urls.appUrl}/recommendation`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(values),
  });
}
const count = (html: string, text: string) => html.split(text).length - 1;

test('a search names the language of each show, and a swap is one card until its end', async () => {
  const found = await open(`/podcasts/${ana.show.id}/recommendation/select-recommendation`, ana);
  const { id } = await ask(ana, ben, { isSwap: true });
  const asked = await open('/recommendation', ben);
  await send({ intent: 'accept', id: `${id}` }, ben);
  const running = await open(`/podcasts/${ana.show.id}/recommendation`, ana);
  await send({ intent: 'end', id: `${id}` }, ben);
  const ended = await open('/recommendation', ana);

  expect(found).toContain('<span>English</span>');
  expect(asked).toContain('Bells and Anchors recommend each other');
  expect(['accept', 'decline', 'block'].map((step) => count(asked, `name="intent" value="${step}"`))).toEqual([
    1, 1, 2,
  ]);
  expect(running).toContain('Anchors and Bells recommend each other');
  expect(count(running, 'name="intent" value="end"')).toBe(1);
  for (const side of ['Anchors recommends Bells', 'Bells recommends Anchors']) expect(running).toContain(side);
  expect(ended).toMatch(/From [^;<]+; ended on /);
  expect(ended).toContain('Bells Writer ended it.');
});

test('a promo that failed says why, among recommendations and among insertions', async () => {
  await agree(ana, ben);
  await db.update(clips).set({ status: 'failed' });

  const recommendations = await open(`/podcasts/${ana.show.id}/recommendation`, ana);
  const insertions = await open(`/podcasts/${ana.show.id}/audio-insertion`, ana);

  expect(recommendations).toContain('The promo could not be converted for these episodes');
  expect(recommendations).not.toMatch(/>Running</);
  expect(insertions).toContain('The promo of the other show could not be converted for these episodes');
});
