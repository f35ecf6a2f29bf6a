import { sql } from 'drizzle-orm';
import { editions, editionVersions, newsletters } from '~/db/schema/newsletter';
import { removeObjects } from '../../queue/catalog';
import type { TxCtx } from '../../runtime/ctx';

const PICTURE = /\/media\/(images\/\d{1,15}\/[0-9a-f]{64}\/edition\.(?:jpg|png))/g;

/** The storage keys of the pictures in contents, each once. */
export const picturesIn = (contents: readonly string[]): string[] => [
  ...new Set(contents.flatMap((content) => [...content.matchAll(PICTURE)].map(([, key]) => key!))),
];

/**
 * Enqueues the deletion of pictures that no edition, version or welcome email of a creator contains any more. Call it
 * after the rows that had them were deleted, with the creator locked, so that no copy is made meanwhile.
 */
export async function releasePictures(tx: TxCtx, creatorId: number, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = await tx.db.execute<{ key: string }>(sql`
    select key from jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb) as key
    where not exists (select from ${editions} e where e.creator_id = ${creatorId} and strpos(e.content, key) > 0)
      and not exists (select from ${editionVersions} v join ${editions} e on e.id = v.edition_id
        where e.creator_id = ${creatorId} and strpos(v.content, key) > 0)
      and not exists (select from ${newsletters} n where n.creator_id = ${creatorId} and strpos(n.welcome_content, key) > 0)
    order by key`);
  const unused = rows.map(({ key }) => key);
  if (unused.length > 0) await tx.jobs.enqueue(removeObjects, { keys: unused });
}
