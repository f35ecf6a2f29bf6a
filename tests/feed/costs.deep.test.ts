import { expect, test } from 'vitest';
import { cutHtml } from '~/server/feed/cut-html';
import { writeFeed } from '~/server/feed/writer/write-feed';
import { cpuCost } from '../support/costs';
import { FILE, parseSource, rss } from '../support/feed-reading';
import { sampleEpisode, sampleFeed } from '../support/feed-samples';

const item = (tags: string) => rss(`<item><guid>1</guid>${tags}${FILE}</item>`);
const words = 'one word after another '.repeat(1000);
const long = (end: string) => 'a '.repeat(400_000) + end;
const written = (count: number) => {
  const description = `<p>${'Una historia de la plaza. '.repeat(40)}</p>`;
  const episode = (_: unknown, i: number) => sampleEpisode({ title: `Episodio ${i}`, description, guid: `guid-${i}` });
  return sampleFeed({ episodes: Array.from({ length: count }, episode) });
};
const [thousand, tenThousand] = [written(1000), written(10_000)];

/** About ten times the actual cost; quadratic time would cost a hundred times as much. */
test.each<[string, number, () => unknown]>([
  ['reading a title of many tags', 250, () => parseSource(item(`<title>${'&lt;b&gt;'.repeat(200_000)}</title>`))],
  [
    'comparing two long texts',
    20,
    () => parseSource(item(`<description>${long('b')}</description><itunes:summary>${long('c')}</itunes:summary>`)),
  ],
  ['cutting a tag that never ends', 5, () => cutHtml(`<${'a'.repeat(90_000)}<b>${words}`, 100_000)],
  ['cutting a tag of blanks', 5, () => cutHtml(`<a${' '.repeat(90_000)}<b>${words}`, 100_000)],
  ['cutting less-than signs', 5, () => cutHtml('<'.repeat(120_000), 100_000)],
  [
    'cutting many open elements, and ends of others',
    25,
    () => cutHtml(`${'<b>'.repeat(12_000)}${'</i>'.repeat(16_000)}${words}`, 100_000),
  ],
  ['writing 1,000 episodes', 15, () => writeFeed(thousand)],
  ['writing 10,000 episodes', 100, () => writeFeed(tenThousand)],
])('%s costs at most %i units', async (_, most, work) => {
  expect(await cpuCost(work)).toBeLessThan(most);
});
