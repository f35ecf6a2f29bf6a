import fs from 'node:fs/promises';
import path from 'node:path';
import { SCRATCH } from './scratch';

const POST = '---\ntitle: Rain\ndescription: In a can.\ndate: 2026-01-05\ntags: [Sound]\n---\nDrops.\n';

/** A folder for `CONTENT_DIR` with a post of the past, `rain`: ours are younger than the clock of the tests. */
export async function contentFolder(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(SCRATCH, 'altavoz-content-'));
  await fs.mkdir(path.join(folder, 'en/posts'), { recursive: true });
  await fs.writeFile(path.join(folder, 'en/posts/rain.md'), POST);
  return folder;
}
