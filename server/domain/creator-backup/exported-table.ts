import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/**
 * A table of the backup. Each of its columns is in exactly one of the lists, which a test compares with the schema. The
 * export and the import walk through the list (tables.ts) and know no table by name.
 */
export type ExportedTable = {
  /** Of the file. A table can have two: the owner's account has more columns than those of other people. */
  name: string;
  table: PgTable;
  /** Which rows `t` belong to the creator. */
  where: (creatorId: number) => SQL;
  /** Copied as they are. */
  columns: string[];
  /** Ids of rows of other exported tables, by the name of that table. */
  refs?: Record<string, string>;
  /** Keys of objects, or JSON that contains some. They contain ids of creators, episodes and users. */
  keys?: string[];
  /** What the backup has in the place of a column's value. */
  shown?: Record<string, (creatorId: number) => SQL>;
  /** Of these, the import checks what a form would have checked. */
  html?: string[];
  urls?: string[];
  colors?: string[];
  slugs?: string[];
  /** Another creator's rows may be the same: those of the backup are then left out. */
  isShared?: boolean;
  /** The reason for each column that is not copied. */
  leftOut?: Record<string, string>;
  /** The primary key, without a generated id. */
  identity?: string[];
};

export const OWNER = 'owner';
export const PEOPLE = 'people';

export const words = (text: string) => text.split(/\s+/);
export const TIMES = 'created_at updated_at';

export const ofCreator = (creatorId: number) => sql`t.creator_id = ${creatorId}`;
export const ownerOf = (creatorId: number) => sql`(select user_id from creators where id = ${creatorId})`;
export const ofProducts = (creatorId: number) =>
  sql`t.product_id in (select id from products where creator_id = ${creatorId})`;
export const ofEpisodes = (creatorId: number) =>
  sql`t.episode_id in (select id from episodes where creator_id = ${creatorId})`;
/** A creator does not see who follows a paid show without paying for it. */
export const seenGrants = (creatorId: number) =>
  sql`${ofProducts(creatorId)} and (
    t.source <> 'follow' or exists (select from products p where p.id = t.product_id and p.price_minor is null))`;
