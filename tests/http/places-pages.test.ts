import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { clips, insertionPoints, insertionSlots, replacedPassages } from '~/db/schema/insertions';
import { insertClip } from '../support/campaigns';
import { cast } from '../support/cast';
import { mp3 } from '../support/mp3';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, checkNewAudio } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);

const owner = await make.creator({ name: 'Lucía' });
const other = await make.creator({ name: 'Ada' });
const show = await make.product(owner, { name: 'Olas' });
const [episode, second] = await make.episodes(show, 2, (i) => ({ name: `Parte ${i + 1}`, slug: `parte-${i}` }));
const clip = await insertClip(db, owner.creatorId, { name: 'Bodegas' });
const ofEpisode = `/podcasts/${show.id}/episodes/${episode!.id}/audio-insertion`;
const ofShow = `/podcasts/${show.id}/audio-insertion/places`;

async function open(path: string, token = owner.token) {
  const response = await app.request(env.urls.appUrl + path, { headers: { host, origin, cookie: `token=${token}` } });
  return { status: response.status, html: await response.text() };
}
async function send(path: string, values: Record<string, string>) {
  const headers = { host, origin, cookie: `token=${owner.token}` };
  const body = new URLSearchParams(values);
  const response = await app.request(env.urls.appUrl + path, { method: 'POST', headers, body });
  return { status: response.status, html: await response.text(), location: response.headers.get('location') };
}
const pointsOf = async (id: number) => {
  const where = eq(insertionPoints.episodeId, id);
  const rows = await db.select().from(insertionPoints).where(where).orderBy(insertionPoints.atMs);
  return rows.map(({ atMs }) => atMs);
};

test('a form without JavaScript marks mid-rolls, and a refused one keeps what was typed', async () => {
  const saved = await send(ofEpisode, { intent: 'points', 'point-0': '1:00', 'point-1': '0:30.5', 'point-2': '' });
  const refused = await send(`/es${ofEpisode}`, { intent: 'points', 'point-0': '9:99:99', 'point-1': '0:01' });
  const page = await open(ofEpisode);

  expect(saved.location).toMatch(/audio-insertion\?done=points_saved$/);
  expect(await pointsOf(episode!.id)).toEqual([30_500, 60_000]);
  expect(page.html).toContain('value="0:30.5"');
  expect(page.html).toContain('name="point-2"');
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('value="0:01"');
});

test('a passage is replaced in several episodes, and restored', async () => {
  const values = {
    intent: 'replace',
    fromMs: '0:10',
    toMs: '0:20',
    clipId: `${clip}`,
    [`episode-${second!.id}`]: 'on',
  };
  const saved = await send(ofEpisode, values);
  const again = await send(ofEpisode, values);
  const page = await open(ofEpisode);
  const rows = await db.select().from(replacedPassages).orderBy(replacedPassages.id);

  expect(saved.location).toMatch(/done=passage_replaced$/);
  expect(rows.map(({ episodeId, clipId }) => [episodeId, clipId])).toEqual([
    [episode!.id, clip],
    [second!.id, clip],
  ]);
  expect(page.html).toContain('0:10 to 0:20');
  expect(page.html).toContain('Replaced by “Bodegas”');
  expect(again.status).toBe(409);
  expect(again.html).toContain('overlaps another one');
  await send(ofEpisode, { intent: 'restore', passageId: `${rows[0]!.id}` });
  expect(await db.$count(replacedPassages)).toBe(1);
  await send(ofEpisode, { intent: 'restore', passageId: `${rows[1]!.id}` });
});

test('the page of the show saves the template, renames clips, and says why one can’t be deleted', async () => {
  await send(ofShow, { intent: 'template', near_middle: 'on', before_end: 'on' });
  await send(ofShow, { intent: 'rename', clipId: `${clip}`, name: 'Bodegas Mar' });
  const unnamed = await send(ofShow, { intent: 'rename', clipId: `${clip}`, name: ' ' });
  const page = await open(`/es${ofShow}`);
  const values = { creatorId: owner.creatorId, episodeId: second!.id, fromMs: 0, toMs: 1000, clipId: clip };
  const [passage] = await db.insert(replacedPassages).values(values).returning();
  const refused = await send(ofShow, { intent: 'remove', clipId: `${clip}` });
  await db.delete(replacedPassages).where(eq(replacedPassages.id, passage!.id));
  const removed = await send(ofShow, { intent: 'remove', clipId: `${clip}` });

  const rules = await db
    .select()
    .from(insertionSlots)
    .where(eq(insertionSlots.productId, show.id))
    .orderBy(insertionSlots.rule);
  expect(rules.map(({ rule }) => rule)).toEqual(['before_end', 'near_middle']);
  expect(page.html).toContain('value="Bodegas Mar"');
  expect(page.html).toContain('Parte 2');
  expect(unnamed.status).toBe(400);
  expect(refused.html).toContain('This clip replaces a passage of “Parte 2”');
  expect(removed.location).toMatch(/done=clip_deleted$/);
  expect((await db.select().from(clips).where(eq(clips.id, clip)))[0]!.deletedAt).not.toBeNull();
});

test('others see neither page', async () => {
  const answers = await Promise.all([ofEpisode, ofShow].map((path) => open(path, other.token)));

  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});

/** An episode with audio in a show of its own. */
async function checkedEpisode() {
  const own = await make.product(owner, { name: 'Con audio' });
  const fileKey = await make.upload(owner, 'episode_audio', mp3(20));
  const { id: checked } = await make.draft(owner, own, { fileKey });
  await checkNewAudio();
  return { checked, show: own };
}

test('a form without JavaScript cuts a clip, and leads back to the campaign that needs it', async () => {
  const { checked, show: own } = await checkedEpisode();
  const cutting = `/podcasts/${own.id}/audio-insertion/cut`;
  const values = { episodeId: `${checked}`, name: 'Lo mejor', startMs: '0:02', endMs: '0:08.5' };

  const page = await open(`${cutting}?episode=${checked}`);
  const refused = await send(cutting, { ...values, endMs: '0:01' });
  const saved = await send(cutting, values);
  const forNew = await send(`${cutting}?for=new`, values);
  const forOld = await send(`/es${cutting}?for=7`, values);
  const cut = await db.select().from(clips).where(eq(clips.name, 'Lo mejor')).orderBy(clips.id);

  expect(page.html).toMatch(/name="startMs"[^>]*value="0:00"|value="0:00"[^>]*name="startMs"/);
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('value="0:02"');
  expect(saved.location).toMatch(/audio-insertion\/places\?done=clip_added$/);
  expect(cut.map(({ origin, durationMs }) => [origin, durationMs])).toEqual(
    Array.from({ length: 3 }, () => ['cut', expect.closeTo(6500, -2)]),
  );
  expect(forNew.location).toContain(`audio-insertion/create?clip=${cut[1]!.id}&done=clip_added`);
  expect(forOld.location).toBe(`/es/podcasts/${own.id}/audio-insertion/7/edit?clip=${cut[2]!.id}&done=clip_added`);
  const campaign = await open(`/podcasts/${own.id}/audio-insertion/create?clip=${cut[1]!.id}`);
  expect(campaign.html).toMatch(new RegExp(`id="clip-${cut[1]!.id}"[^>]*checked`));
});

test('the page that cuts clips knows only episodes of its show', async () => {
  const { checked } = await checkedEpisode();
  const cutting = `/podcasts/${show.id}/audio-insertion/cut`;
  const empty = await make.product(owner, { name: 'Nueva' });

  expect((await open(`${cutting}?episode=${checked}`)).status).toBe(404);
  expect((await open(`${cutting}?episode=x`)).status).toBe(404);
  expect((await open(cutting, other.token)).status).toBe(404);
  expect((await open(`/podcasts/${empty.id}/audio-insertion/cut`)).html).toContain('No episode to cut from yet');
  const values = { episodeId: `${checked}`, name: 'Mine', startMs: '0:02', endMs: '0:08' };
  expect((await send(cutting, { ...values, episodeId: '' })).status).toBe(400);
});
