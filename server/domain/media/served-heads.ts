import { createHash, randomBytes } from 'node:crypto';
import type { ServedHead } from '~/db/values/episodes';
import { headTags } from '../../audio/id3';
import { type Chapter, readTags, writeId3 } from '../../audio/tags';
import type { Ctx } from '../../runtime/ctx';

type Head = { audioKey: string; title: string; chapters: Chapter[] };

/**
 * Stores a tag with new chapters for an MP3, which is served instead of the file's own tag. It keeps the file's title,
 * artist and cover; without a title it uses `title`. Null if the file was deleted. Each call stores a separate object,
 * whose key contains the tag's hash.
 */
export async function storeHead(
  ctx: Pick<Ctx, 'ports'>,
  { audioKey, title, chapters }: Head,
): Promise<ServedHead | null> {
  const file = await ctx.ports.storage.open(audioKey);
  if (!file) return null;
  try {
    const source = { size: file.bytes, read: file.readInto };
    const own = await readTags(source);
    const tag = Buffer.from(writeId3({ ...own, title: own.title ?? title, chapters }));
    const hash = createHash('sha256').update(tag).digest('hex');
    const key = audioKey.replace(/[^/]+$/, `${hash}-${randomBytes(6).toString('hex')}.id3`);
    await ctx.ports.storage.put(key, tag, { contentType: 'application/octet-stream' });
    return { key, bytes: tag.length, replaces: (await headTags(source)).at(-1)?.end ?? 0 };
  } finally {
    await file.close();
  }
}

/** The hash in the key of a head. */
export const hashOfHead = ({ key }: ServedHead): string => /([^/-]+)-[^/-]+\.id3$/.exec(key)?.[1] ?? key;
