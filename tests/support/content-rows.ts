import fs from 'node:fs/promises';
import path from 'node:path';
import type { Input, Rule } from './authorization';
import { SCRATCH } from './scratch';

const POST = '---\ntitle: Rain\ndescription: In a can.\ndate: 2026-01-05\ntags: [Sound]\n---\nDrops.\n';

/** A folder for `CONTENT_DIR` with a post of the past, `rain`: ours are younger than the clock of the tests. */
export async function contentFolder(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(SCRATCH, 'altavoz-content-'));
  await fs.mkdir(path.join(folder, 'en/posts'), { recursive: true });
  await fs.writeFile(path.join(folder, 'en/posts/rain.md'), POST);
  return folder;
}

/** Everyone reads the texts of the site. */
export const CONTENT_ROWS = {
  'content.post': [['everyone', () => ({ slug: 'rain' })]],
  'content.helpArticle': [['everyone', () => ({ slug: 'add-a-private-feed' })]],
  'content.page': [['everyone', () => ({ slug: 'how-we-measure' })]],
  'content.namedPage': [['everyone', () => ({ name: 'team' })]],
  'content.legal': [['everyone', () => ({ name: 'imprint' })]],
  'content.resource': [['everyone', () => ({ slug: 'audio-before-upload' })]],
  'content.host': [['everyone', () => ({ slug: 'ivoox' })]],
} satisfies Record<string, [rule: Rule, input?: () => Input | Promise<Input>][]>;
