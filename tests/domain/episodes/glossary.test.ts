import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { activity } from '~/db/schema/team';
import { eraseGlossaries } from '~/server/domain/episodes/glossary';
import { GLOSSARY_LIMITS } from '~/server/limits/transcripts';
import { cast } from '../../support/cast';
import '../../support/matchers';

const { runtime, make, ada, ctxOf } = await cast();
const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});
const other = await make.product(owner, {});
const ref = { id: show.id, kind: 'podcast' as const };
const read = () => owner.api.transcripts.glossary(ref);
const save = async (lines: string | string[], editOf?: Date | null) =>
  owner.api.transcripts.saveGlossary({ ...ref, lines, editOf: editOf === undefined ? (await read()).version : editOf });
const upload = (id: number, text: string) =>
  owner.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', content: Buffer.from(text).toString('base64') });

test('a glossary is read as it was saved, without empty and repeated lines, and is recorded once for each save', async () => {
  expect(await read()).toEqual({ version: null, lines: [] });

  const { version } = await save('  Altavoz  = alta voz\r\n\nAltavoz = alta voz\nLucía Ferrer\u0000');

  expect(await read()).toEqual({ version, lines: ['Altavoz = alta voz', 'Lucía Ferrer'] });
  expect(await owner.api.transcripts.glossary({ ...ref, id: other.id })).toEqual({ version: null, lines: [] });
  const isRecorded = eq(activity.action, 'product.glossary_changed');
  expect(await runtime.db.$count(activity, isRecorded)).toBe(1);
});

test('lines that are not entries are refused with their number, and lists that are too long as a whole', async () => {
  const former = (await save(['Altavoz = alta voz'])).version;

  await expect(save('A = b\n= c')).toFailWith('glossary.line_unfit');
  await expect(save(Array.from({ length: GLOSSARY_LIMITS.entries + 1 }, (_, n) => `A${n}`))).toFailWith(
    'glossary.over_limit',
  );
  await expect(save('x'.repeat(GLOSSARY_LIMITS.lineLength + 1))).toFailWith('glossary.line_too_long');
  expect((await read()).version).toEqual(former);
});

test('two windows: the second one is refused, also if there was no glossary before', async () => {
  const { version } = await save(['A']);
  await save(['B'], version);

  await expect(save(['C'], version)).toFailWith('glossary.already_changed');
  await expect(save(['C'], null)).toFailWith('glossary.already_changed');
  expect((await read()).lines).toEqual(['B']);
});

test('of several saves at once, one is made', async () => {
  const { version } = await save(['A']);

  const saves = await Promise.allSettled(['B', 'C', 'D'].map((line) => save([line], version)));

  expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('nobody else reads or changes it', async () => {
  await expect(ada.api.transcripts.glossary(ref)).rejects.toThrow();
  await expect(ada.api.transcripts.saveGlossary({ ...ref, lines: 'Mine', editOf: null })).rejects.toThrow();
});

test('the editor of each episode gets it, with the people of the show and without numbered voices', async () => {
  const [first, second] = await make.episodes(show, 2);
  await save(['Altavoz = alta voz']);
  await upload(first!.id, 'WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ana>One\n\n00:03.000 --> 00:04.000\n<v Voz 2>Two\n');
  await upload(second!.id, 'WEBVTT\n\n00:01.000 --> 00:03.000\n<v Speaker 1>Three\n');
  await owner.api.episodes.update({ id: second!.id, kind: 'podcast', people: [{ name: 'Iker', role: 'guest' }] });

  const { glossary, speakers } = await owner.api.transcripts.edit({ id: second!.id });

  expect({ glossary, speakers }).toEqual({ glossary: ['Altavoz = alta voz'], speakers: ['Ana', 'Iker'] });
});

test('a deleted account takes its glossaries with it, and no others', async () => {
  const { version } = await save(['Altavoz']);

  await eraseGlossaries(ctxOf(ada), { userId: ada.id });
  expect((await read()).version).toEqual(version);
  await eraseGlossaries(ctxOf(owner), { userId: owner.id });
  expect(await read()).toEqual({ version: null, lines: [] });
});
