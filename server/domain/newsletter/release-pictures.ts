import { eq, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { editions, editionVersions, newsletters } from '~/db/schema/newsletter';
import { members } from '~/db/schema/team';
import { AUTOMATION_LIMITS, EDITING_LIMITS } from '../../limits/newsletter';
import { removeObjects } from '../../queue/jobs/media';
import { releasePictures as releaseLater } from '../../queue/jobs/newsletter';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';

const PICTURE = /\/media\/(images\/\d{1,15}\/[0-9a-f]{64}\/edition\.(?:jpg|png))/g;

/** The storage keys of the pictures in contents, each once. */
export const picturesIn = (contents: readonly string[]): string[] => [
  ...new Set(contents.flatMap((content) => [...content.matchAll(PICTURE)].map(([, key]) => key!))),
];

/**
 * Enqueues the search for pictures that nothing of a creator contains any more: it reads all contents, which can be
 * thousands. Call it after the rows that had them were deleted.
 */
export async function releasePictures(tx: TxCtx, creatorId: number, keys: string[]): Promise<void> {
  const parts = Array.from({ length: Math.ceil(keys.length / EDITING_LIMITS.released) }, (_, i) => ({
    creatorId,
    keys: keys.slice(i * EDITING_LIMITS.released, (i + 1) * EDITING_LIMITS.released),
  }));
  await tx.jobs.enqueueAll(releaseLater, parts);
}

/**
 * The job: enqueues the deletion of pictures that no edition, version or welcome email of a creator contains. Anyone can
 * copy the address of a public picture into a content, so only those stored by people of this team, and of no other,
 * are deleted. The creator is locked, so that no copy is made meanwhile.
 */
export async function releaseUnused(ctx: Ctx, part: { creatorId: number; keys: string[] }): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockCreator(tx, part.creatorId);
    await enqueueRemoval(tx, part);
  });
}

async function enqueueRemoval(tx: TxCtx, { creatorId, keys }: { creatorId: number; keys: string[] }): Promise<void> {
  const rows = await tx.db.execute<{ key: string }>(sql`
    select key from jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb) as key
    where not exists (select from ${editions} e where e.creator_id = ${creatorId} and strpos(e.content, key) > 0)
      and not exists (select from ${editionVersions} v join ${editions} e on e.id = v.edition_id
        where e.creator_id = ${creatorId} and strpos(v.content, key) > 0)
      and not exists (select from ${newsletters} n where n.creator_id = ${creatorId} and strpos(n.welcome_content, key) > 0)
      and ${isOwn(creatorId)}
    order by key`);
  const unused = rows.map(({ key }) => key);
  if (unused.length > 0) await tx.jobs.enqueue(removeObjects, { keys: unused });
}

/** The account that has stored a picture is part of its key. */
const isOwn = (creatorId: number) => sql`exists (
  select from (select split_part(key, '/', 2)::bigint as id) uploader
  where uploader.id in (
      select ${creators.userId} from ${creators} where ${creators.id} = ${creatorId}
      union all select ${members.userId} from ${members} where ${members.creatorId} = ${creatorId})
    and not exists (select from ${creators} where ${creators.userId} = uploader.id and ${creators.id} <> ${creatorId})
    and not exists (select from ${members} where ${members.userId} = uploader.id and ${members.creatorId} <> ${creatorId}))`;

/** The contents of the emails of an automation that `isIts` chooses, and their versions. */
export async function contentsOfSteps({ db }: TxCtx, isIts: SQL | undefined): Promise<string[]> {
  const steps = await db
    .select({ content: editions.content })
    .from(editions)
    .where(isIts)
    .orderBy(editions.id)
    .limit(AUTOMATION_LIMITS.steps);
  const versions = await db
    .select({ content: editionVersions.content })
    .from(editionVersions)
    .innerJoin(editions, eq(editions.id, editionVersions.editionId))
    .where(isIts)
    .orderBy(editionVersions.editionId, editionVersions.revision)
    .limit(AUTOMATION_LIMITS.steps * EDITING_LIMITS.versions);
  return [...steps, ...versions].map(({ content }) => content);
}
