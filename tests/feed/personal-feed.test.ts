import { expect, test } from 'vitest';
import { fillTemplate, placeholders, toTemplate } from '~/server/feed/writer/personal-feed';
import { writeFeed } from '~/server/feed/writer/write-feed';

const SHOW = {
  description: 'A show',
  link: 'https://x.example',
  language: 'en',
  author: 'Ana',
  cover: { url: 'https://x.example/c.jpg' },
  categories: [],
  explicit: false,
  order: 'episodic',
  guid: 'g',
  locked: true,
  changedAt: new Date(0),
} as const;
const EPISODE = {
  guid: 'e',
  title: 'One',
  description: 'Text',
  link: 'https://x.example/1',
  type: 'trailer',
  durationMs: 1000,
  publishedAt: new Date(0),
  explicit: false,
} as const;

test('a filled template is the feed that was written for its listener', () => {
  const personal = {
    self: 'https://x.example/feed?a=1&b=2',
    name: 'Ana <3 & "Bo"',
    access: (id: number) => `7-${id}${'s'.repeat(43)}`,
  };
  const write = ({ self, name, access }: typeof personal) => {
    const [first, second] = [1, 22].map((id) => `https://x.example/audio/${id}.mp3?feed=${access(id)}`);
    const episodes = [first!, second!, first!].map((url) => ({ ...EPISODE, audio: { url, bytes: 9 } }));
    return writeFeed({ ...SHOW, categories: [], title: `Show $1 (${name})`, self, episodes });
  };

  const template = toTemplate(write(placeholders('0123456789abcdef')), '0123456789abcdef');

  expect(fillTemplate(template, personal).toString()).toBe(write(personal).toString());
});
