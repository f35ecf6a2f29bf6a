import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { activity } from '~/db/schema/team';
import { HOURS, later } from '~/server/base/time';
import { transcriptFile } from '~/server/domain/episodes/transcripts';
import { cast } from '../../support/cast';
import '../../support/matchers';

const { runtime, make, clock, pauseAt, ctxOf, ada } = await cast();
const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});
const [episode, other] = await make.episodes(show, 2);
const id = episode!.id;
const VTT = 'WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ana>The blue sea\n\n00:03.000 --> 00:04.000\n<v Ana>Is calm\n';
const upload = (text = VTT, of = id) =>
  owner.api.episodes.uploadTranscript({ id: of, fileName: 'a.vtt', content: Buffer.from(text).toString('base64') });
const open = () => owner.api.transcripts.edit({ id });
const save = async (changes: unknown, version?: Date) => {
  const editOf = version ?? (await open()).version;
  return owner.api.transcripts.save({ id, editOf, changes } as never);
};
const cue = (text: string, over = {}) => ({ startMs: 1000, endMs: 2000, speaker: 'Eva', text, ...over });
const texts = async () => (await open()).cues.map(({ text }) => text);
const isStored = eq(episodeTranscripts.episodeId, id);

test('changed passages replace others, and are in the file that listeners get', async () => {
  await upload();
  const split = [
    cue('The blue', {
      words: [
        [1000, 1400],
        [1400, 2000],
      ],
    }),
    cue('sea & sky', { startMs: 2000, endMs: 3000 }),
  ];

  const { version } = await save([{ at: 0, remove: 1, cues: split }]);

  const opened = await open();
  expect(opened).toMatchObject({ version, isEdited: true, speakers: ['Ana', 'Eva'] });
  expect(opened.cues).toEqual([...split, { startMs: 3000, endMs: 4000, speaker: 'Ana', text: 'Is calm' }]);
  const file = await transcriptFile(ctxOf(owner), { episodeId: id, format: 'vtt' });
  expect(file?.text).toContain('00:00:02.000 --> 00:00:03.000\n<v Eva>sea &amp; sky');
});

test('what was uploaded is kept, and can be put back', async () => {
  await upload();
  await save([{ at: 0, remove: 2, cues: [cue('Another')] }]);
  await save([{ at: 0, remove: 1, cues: [cue('A third')] }]);

  const original = await owner.api.transcripts.original({ id });
  await owner.api.transcripts.restore({ id, editOf: (await open()).version });

  expect(original.map(({ text }) => text)).toEqual(['The blue sea', 'Is calm']);
  expect(await open()).toMatchObject({ cues: original, isEdited: false });
});

test('the text form keeps the original, and another upload forgets it', async () => {
  await upload();
  const content = Buffer.from('Ana: The green sea\n\nAna: Is calm').toString('base64');
  await owner.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', editOf: (await open()).version, content });

  expect((await owner.api.transcripts.original({ id }))[0]).toMatchObject({ text: 'The blue sea' });
  await upload();
  expect(await open()).toMatchObject({ isEdited: false });
});

test('changes of a transcript that another window has changed are refused, at any moment', async () => {
  await upload();
  const { version } = await open();
  const pause = pauseAt('passages.read');
  const saving = save([{ at: 0, remove: 1, cues: [cue('Mine')] }], version);
  await pause.reachedBy(saving);
  await runtime.db
    .update(episodeTranscripts)
    .set({ updatedAt: later(version, 1) })
    .where(isStored);
  pause.goOn();

  await expect(saving).toFailWith('episode.already_changed');
  await expect(save([{ at: 0, remove: 1, cues: [cue('Mine')] }], version)).toFailWith('episode.already_changed');
  await expect(owner.api.transcripts.restore({ id, editOf: version })).toFailWith('episode.already_changed');
  expect(await texts()).toEqual(['The blue sea', 'Is calm']);
});

test('two saves at one moment have different versions', async () => {
  await upload();
  const first = await save([{ at: 0, remove: 1, cues: [cue('One')] }]);
  const second = await save([{ at: 0, remove: 1, cues: [cue('Two')] }]);

  expect(second.version > first.version).toBe(true);
});

test('edits within an hour are one entry of the log', async () => {
  await upload();
  const count = () => runtime.db.$count(activity, eq(activity.subjectId, id));
  const before = await count();
  await save([{ at: 0, remove: 1, cues: [cue('One')] }]);
  await save([{ at: 0, remove: 1, cues: [cue('Two')] }]);
  const soon = await count();
  clock.now = later(clock.now, HOURS(2));
  await save([{ at: 0, remove: 1, cues: [cue('Three')] }]);

  expect([soon - before, (await count()) - soon]).toEqual([1, 1]);
});

test.each<[string, string, unknown]>([
  ['an empty passage', 'transcript.empty_passage', [{ at: 0, remove: 1, cues: [cue(' \u0000 ')] }]],
  ['no passage left', 'transcript.empty', [{ at: 0, remove: 2, cues: [] }]],
  ['a place after the end', 'transcript.changes_unfit', [{ at: 1, remove: 2, cues: [cue('a')] }]],
  ['times out of order', 'transcript.changes_unfit', [{ at: 1, remove: 1, cues: [cue('a', { startMs: 500 })] }]],
  ['an end before its start', 'transcript.changes_unfit', [{ at: 0, remove: 1, cues: [cue('a', { endMs: 5 })] }]],
  ['a negative time', 'field.invalid', [{ at: 0, remove: 1, cues: [cue('a', { startMs: -1 })] }]],
  ['a word of a megabyte', 'field.too_long', [{ at: 0, remove: 1, cues: [cue('x'.repeat(1_000_000))] }]],
  ['no change', 'field.invalid', []],
])('refused: %s', async (_, code, changes) => {
  await upload();

  await expect(save(changes)).toFailWith(code);
  expect(await texts()).toEqual(['The blue sea', 'Is calm']);
});

test('more passages than a transcript may have are refused', async () => {
  await upload();
  const cues = Array.from({ length: 50_000 }, () => ({ ...cue('a'), speaker: null }));
  await runtime.db.update(episodeTranscripts).set({ cues }).where(isStored);

  await expect(save([{ at: 0, remove: 1, cues: [cue('a'), cue('b')] }])).toFailWith('transcript.too_many_cues');
});

test('saves cannot make a transcript longer than an uploaded one may be; one that is longer can be shortened', async () => {
  await upload();
  const [whole, longer] = [100, 110].map((count) => Array.from({ length: count }, () => cue('x'.repeat(20_000))));
  await save([{ at: 0, remove: 2, cues: whole }]);

  await expect(save([{ at: 100, remove: 0, cues: [cue('x')] }])).toFailWith('transcript.over_limit');
  await runtime.db.update(episodeTranscripts).set({ cues: longer }).where(isStored);
  await save([{ at: 0, remove: 1, cues: [] }]);

  expect((await open()).cues).toHaveLength(109);
});

test('control characters disappear, HTML and text from right to left stay text, words that do not fit lose their times', async () => {
  await upload();
  const words = [[1000, 1500]];

  await save([{ at: 0, remove: 1, cues: [cue('<b>\u0007שלום</b> \u202eabc', { words })] }]);

  expect((await open()).cues[0]).toEqual(cue('<b>שלום</b> \u202eabc'));
  const html = await transcriptFile(ctxOf(owner), { episodeId: id, format: 'html' });
  expect(html?.text).toContain('&lt;b&gt;שלום&lt;/b&gt;');
});

test('an empty line does not end a passage in the files', async () => {
  await upload();

  await save([{ at: 0, remove: 1, cues: [cue('One\n\n \u00a0\r\r\ttwo\n')] }]);

  expect(await texts()).toEqual(['One\ntwo', 'Is calm']);
  for (const format of ['vtt', 'srt'] as const) {
    const file = await transcriptFile(ctxOf(owner), { episodeId: id, format });
    expect(file?.text).toMatch(/One\ntwo\n\n/);
  }
});

test('another creator neither reads, changes nor restores it', async () => {
  await upload();
  const { version: editOf } = await open();
  const changes = [{ at: 0, remove: 1, cues: [cue('Hacked')] }];

  await expect(ada.api.transcripts.edit({ id })).toFailWith('episode.not_found');
  await expect(ada.api.transcripts.original({ id })).toFailWith('episode.not_found');
  await expect(ada.api.transcripts.save({ id, editOf, changes } as never)).toFailWith('episode.not_found');
  await expect(ada.api.transcripts.restore({ id, editOf })).toFailWith('episode.not_found');
});

test('names of speakers are those of the show, and an episode without a transcript has no editor', async () => {
  await upload();
  await upload(VTT.replaceAll('Ana', 'Zoe'), other!.id);

  expect((await open()).speakers).toEqual(['Ana', 'Zoe']);
  await owner.api.episodes.removeTranscript({ id: other!.id });
  expect((await open()).speakers).toEqual(['Ana']);
  await expect(owner.api.transcripts.edit({ id: other!.id })).toFailWith('transcript.not_found');
});
