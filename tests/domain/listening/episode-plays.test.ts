import { expect, test } from 'vitest';
import { episodeTotals } from '~/db/schema/listening';
import { cast } from '../../support/cast';
import '../../support/matchers';

const { runtime, lucia, ada, tom, episodes } = await cast();
const [heard, unheard] = Object.values(episodes.podcast);

test('a creator sees the plays of each own episode, and of no other', async () => {
  const ofLucia = { episodeId: heard!.id, creatorId: lucia.creatorId, listens: 7, downloads: 5 };
  await runtime.db.insert(episodeTotals).values(ofLucia);
  const input = { episodeIds: [heard!.id, unheard!.id] };

  expect(await lucia.api.listening.plays(input)).toEqual([{ id: heard!.id, listens: 7, downloads: 5 }]);
  expect(await ada.api.listening.plays(input)).toEqual([]);
  await expect(tom.api.listening.plays(input)).rejects.toThrow();
});
