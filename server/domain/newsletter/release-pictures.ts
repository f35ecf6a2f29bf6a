import { and, eq, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { editions, editionVersions, newsletters } from '~/db/schema/newsletter';
import { members } from '~/db/schema/team';
import { AUTOMATION_LIMITS, EDITING_LIMITS } from '../../limits/newsletter';
import { removeObjects } from '../../queue/catalog';
import type { TxCtx } from '../../runtime/ctx';

const PICTURE = /\/media\/(images\/\d{1,15}\/[0-9a-f]{64}\/edition\.(?:jpg|png))/g;

/** The storage keys of the pictures in contents, each once. */
export const picturesIn = (contents: readonly string[]): string[] => [
  ...new Set(contents.flatMap((content) => [...content.matchAll(PICTURE)].map(([, key]) => key!))),
];

/**
 * Enqueues the deletion of pictures that no edition, version or welcome email of a creator contains any more. Anyone can
 * copy the address of a public picture into a content, so only those stored by people of this team, and of no other,
 * are deleted. Call it after the rows that had them were deleted, with the creator locked, so that no copy is made
 * meanwhile.
 */
export async function releasePictures(tx: TxCtx, creatorId: number, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
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

/** The contents of an automation's emails and their versions; `where` chooses among the emails. */
export async function contentsOfSteps({ db }: TxCtx, automationId: number, where?: SQL): Promise<string[]> {
  const isIts = and(eq(editions.automationId, automationId), where);
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
