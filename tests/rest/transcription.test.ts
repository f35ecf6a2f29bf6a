import { expect, test } from 'vitest';
import { creatorPlans } from '~/db/schema/plans';
import { MINUTES } from '~/server/base/time';
import { runTranscription } from '~/server/domain/transcription/run-transcription';
import { TRANSCRIPTION_LIMITS } from '~/server/limits/transcription';
import { runTranscription as runJob } from '~/server/queue/jobs/transcription';
import { cast } from '../support/cast';
import { legacyClient } from '../support/legacy';
import { mp3 } from '../support/mp3';
import { runJobs } from '../support/run-jobs';
import { speechMp3 } from '../support/speech';

const opened = await cast();
const { runtime, clock, make, checkNewAudio, transcriberSandbox } = opened;
const api = legacyClient(opened);
(await transcriberSandbox!.get()).setPace(0);

const owner = await make.creator();
const show = await make.product(owner, {});
const transcribeAll = () =>
  runJobs(runtime, runJob.name, ({ runId }: { runId: number }, ctx) => runTranscription(ctx, runId));
const spoken = async (bytes = speechMp3()) => {
  const { id } = await make.draft(owner, show, { fileKey: await make.upload(owner, 'episode_audio', bytes) });
  await checkNewAudio();
  return id;
};
const start = (id: number, { token } = owner, over = {}) =>
  api.post('create-episode-transcript/', { token, json: { episode_id: id, audio_type: 'podcast', ...over } });
const check = (id: number, { token } = owner) =>
  api.get(`check-transcription-credits/?episode_id=${id}&audio_type=podcast`, { token });
const statusOf = async (id: number) =>
  (await api.get(`episodes/${id}/`, { token: owner.token })).body.transcript_status;

test('an episode is transcribing, then transcribed, and the credits show its minutes', async () => {
  const id = await spoken();
  const found = [await statusOf(id)];
  const before = await check(id);

  const started = await start(id, owner, { language: 'en' });
  found.push(await statusOf(id));
  const again = await start(id);
  await transcribeAll();
  found.push(await statusOf(id));

  expect(found).toEqual(['none', 'transcribing', 'transcribed']);
  expect(before).toMatchObject({ status: 200, body: { available_minutes: 120, needed_minutes: 1, enough: true } });
  expect(started).toMatchObject({ status: 202, body: { transcript_status: 'transcribing' } });
  expect(again).toMatchObject({ status: 409, body: { detail: 'This episode is being transcribed.' } });
  expect((await check(id)).body).toEqual({ available_minutes: 119, needed_minutes: 1, enough: true });
  expect((await start(id)).status).toBe(409);
});

test('sound without speech fails, visitors learn nothing of it, and it can be tried again', async () => {
  const id = await spoken(mp3(5));
  await start(id);
  await transcribeAll();

  const seen = await api.get(`episodes/${id}/`, {});

  expect([await statusOf(id), seen.body.transcript_status]).toEqual(['failed', 'none']);
  expect((await start(id)).status).toBe(202);
  await transcribeAll();
});

test('the refusals have the sentences and the statuses of the specification', async () => {
  const poor = await make.creator();
  const poorShow = await make.product(poor, {});
  await runtime.db.insert(creatorPlans).values({ creatorId: poor.creatorId, plan: 'BASIC', since: clock.now });
  const [closed] = await make.episodes(poorShow, 1);
  const [long, large] = await make.episodes(show, 2, (i) => ({
    slug: `long-${i}`,
    durationMs: i === 0 ? TRANSCRIPTION_LIMITS.longest + 1 : MINUTES(121),
  }));

  const [unpaid, tooLong, tooLarge] = [await start(closed!.id, poor), await start(long!.id), await start(large!.id)];

  expect(unpaid).toMatchObject({
    status: 403,
    body: { detail: 'Audio AI Transcription is available only for paid users.' },
  });
  expect([tooLong.status, JSON.stringify(tooLong.body)]).toEqual([
    400,
    expect.stringContaining('The audio size is too long to be transcribed.'),
  ]);
  expect([tooLarge.status, JSON.stringify(tooLarge.body)]).toEqual([
    400,
    expect.stringContaining("You don't have enough credits available. Do you want to upgrade your plan?"),
  ]);
  expect((await check(large!.id)).body).toMatchObject({ needed_minutes: 121, enough: false });
  expect((await start(closed!.id, owner)).status).toBe(404);
  expect((await check(closed!.id, owner)).status).toBe(404);
});
