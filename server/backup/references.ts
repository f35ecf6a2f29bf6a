import type { Sql, Table } from './table-catalog';

/**
 * The keys of the stored files that rows refer to, in the order of a store's list, and whether they must exist. One
 * file of a picture represents all of its sizes. Used uploads may still wait for a job, such as files of contacts. Tables
 * after the first version are named only if they are there, because a backup may be of a database that is not migrated yet.
 */
export function copyReferences(sql: Sql, tables: Table[]) {
  const has = (table: string) => tables.some(({ schema, name }) => schema === 'public' && name === table);
  return sql`
    copy (
      select key collate "C", bool_or(required) from (
        select audio_key as key, true as required from episodes
        union all select peaks_key, true from episodes
        union all select served_head->>'key', true from episodes
        union all select 'incoming/' || upload_key, true from episodes where status = 'in_progress'
        union all select 'incoming/' || replacement_key, true from episodes where replacement_at is not null
        union all select 'incoming/' || file_key, true from subscriber_imports where status = 'reading'
        union all select 'incoming/' || key, false from uploads where used_at is not null
        union all select audio_key, true from promos
        union all select base || '/full.jpg', true from (
          select cover_key as base from products union all select cover_key from episodes
          union all select avatar_key from creators union all select avatar_key from users
        ) covers
        union all select chapter->>'imageKey' || '/full.jpg', false
          from episode_chapters, jsonb_array_elements(chapters) chapter
        ${has('newsletters') ? ofNewsletters(sql) : sql``}
        ${has('clips') ? ofClips(sql) : sql``}
        ${has('soundbites') ? sql`union all select audio_key, true from soundbites` : sql``}
      ) found where key is not null group by 1 order by 1
    ) to stdout`;
}

const ofClips = (sql: Sql) => sql`
        union all select audio_key, true from clips
        union all select audio_key, true from clip_versions`;

/** A picture of a text may have been deleted on purpose, when no other text had it any more. */
const ofNewsletters = (sql: Sql) => sql`
        union all select logo_key || '/full.jpg', true from newsletters where logo_key is not null
        union all select picture[1], false from (
          select content from editions union all select content from edition_versions
          union all select welcome_content from newsletters
        ) texts, regexp_matches(content, '/media/(images/[0-9]{1,15}/[0-9a-f]{64}/edition[.](?:jpg|png))', 'g') picture`;

export type Reference = { key: string; isRequired: boolean };

export function readReference(line: string): Reference {
  const [key = '', required] = line.split('\t');
  return { key, isRequired: required === 't' };
}
