import { expect, test } from 'vitest';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { newsletterStage } from './sent-editions';

const { clock, publisher, addContacts, draft } = await newsletterStage();
const start = clock.now;

test('the list has what is to come by its time, then drafts and sent editions, each the latest first', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const { api } = owner;
  let minutes = 0;
  const nextMinute = () => {
    minutes += 1;
    clock.now = later(start, MINUTES(minutes));
  };
  const write = (title: string) => {
    nextMinute();
    return draft(owner, { title });
  };
  const send = (edition: object) => {
    nextMinute();
    return api.editions.send(edition as never);
  };
  const [last, first] = [await write('sent last'), await write('sent first')];
  const [old, late, soon] = [await write('old draft'), await write('late'), await write('soon')];
  await write('new draft');
  await send(first);
  await send(last);
  await send({ ...late, sendAt: later(start, DAYS(2)) });
  await send({ ...soon, sendAt: later(start, DAYS(1)) });
  const titles = async () => (await api.editions.list({})).items.map(({ title }) => title);

  const before = await titles();
  nextMinute();
  await api.editions.update({ ...old, description: 'changed' } as never);

  expect(before).toEqual(['soon', 'late', 'new draft', 'old draft', 'sent last', 'sent first']);
  expect((await titles()).slice(2, 4)).toEqual(['old draft', 'new draft']);
});
