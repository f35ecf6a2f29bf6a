import { type SQL, sql } from 'drizzle-orm';
import type { TxCtx } from '../../runtime/ctx';
import { PICTURE_WIDTHS } from '../media/rules';

/** The files of a picture, below its key. */
const PICTURE_FILES = ['full.jpg', ...PICTURE_WIDTHS.map((width) => `${width}.webp`)];

/**
 * Stores the list of files that the backup will contain after the files written from the database. File names are for
 * people; the manifest has the keys.
 * @returns the files' bytes, without pictures and uploads
 */
export async function planFiles(tx: TxCtx, backup: { id: string; creatorId: number }, next: number): Promise<number> {
  const rows = await tx.db.execute<{ bytes: string }>(sql`
    with planned as (
      insert into archive_entries (archive_id, position, name, storage_key, bytes)
      select ${backup.id}::uuid, ${next}::integer + row_number() over (order by name) - 1, name, key, bytes
      from (${filesOf(backup.creatorId)}) files
      where key is not null
      returning bytes
    )
    select coalesce(sum(bytes), 0)::text as bytes from planned`);
  return Number(rows[0]?.bytes ?? 0);
}

function filesOf(creatorId: number): SQL {
  const own = sql`e.creator_id = ${creatorId}`;
  const name = sql`'shows/' || p.id || '-' || p.slug || '/' || e.id || '-' || e.slug`;
  const from = sql`from episodes e join products p on p.id = e.product_id`;
  return sql`
    select ${name} || '.mp3' as name, e.audio_key as key, coalesce(e.audio_bytes, 0) as bytes ${from} where ${own}
    union all select ${name} || '.peaks.json', e.peaks_key, 0 ${from} where ${own}
    union all select ${name} || '.head', e.served_head->>'key', 0 ${from} where ${own}
    union all select ${name} || '.promo.mp3', s.audio_key, s.audio_bytes ${from} join promos s on s.episode_id = e.id
      where ${own}
    union all select ${name} || '.soundbites/' || s.id || '.mp3', s.audio_key, s.audio_bytes
      ${from} join soundbites s on s.episode_id = e.id where ${own}
    union all select 'clips/' || id || '.mp3', audio_key, coalesce(audio_bytes, 0) from clips
      where creator_id = ${creatorId} and origin <> 'promo'
    union all select ${name} || '.upload', 'incoming/' || upload_key, 0 ${from} where ${own} and e.status = 'in_progress'
    union all select ${name} || '.replacement', 'incoming/' || replacement_key, 0 ${from}
      where ${own} and e.replacement_at is not null
    union all select key || '/' || file, key || '/' || file, 0
      from (${picturesOf(creatorId)}) pictures (key), unnest(${sql.param(PICTURE_FILES)}::text[]) file
    union select found[1], found[1], 0
      from editions t, regexp_matches(t.content, '/media/(images/[0-9]+/[0-9a-f]{64}/edition[.](?:jpg|png))', 'g') found
      where t.creator_id = ${creatorId}`;
}

function picturesOf(creatorId: number): SQL {
  return sql`
    select cover_key from products where creator_id = ${creatorId}
    union select cover_key from episodes where creator_id = ${creatorId}
    union select avatar_key from creators where id = ${creatorId}
    union select logo_key from newsletters where creator_id = ${creatorId}
    union select avatar_key from users where id = (select user_id from creators where id = ${creatorId})
    union select chapter->>'imageKey'
      from episode_chapters c join episodes e on e.id = c.episode_id, jsonb_array_elements(c.chapters) chapter
      where e.creator_id = ${creatorId}`;
}
