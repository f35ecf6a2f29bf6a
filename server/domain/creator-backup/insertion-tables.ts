import { sql } from 'drizzle-orm';
import { clips, insertionPoints, insertionSlots, replacedPassages } from '~/db/schema/insertions';
import { type ExportedTable, ofCreator, ofEpisodes, ofProducts, TIMES, words } from './exported-table';

/** What a creator inserts into episodes, and where. In this order, rows refer only to earlier rows. */
export const INSERTION_TABLES: ExportedTable[] = [
  {
    name: 'clips',
    table: clips,
    // rows without a file have the names for reports; copies of other shows' promos stay, like their campaigns
    where: (creatorId) => sql`${ofCreator(creatorId)} and t.origin <> 'promo'`,
    columns: words(`id name origin status failure_reason failure_params audio_bytes duration_ms deleted_at ${TIMES}`),
    refs: { creator_id: 'creators' },
    keys: ['audio_key'],
    leftOut: { upload_key: 'of an upload of this installation' },
    isLater: true,
  },
  {
    name: 'insertion_points',
    table: insertionPoints,
    where: ofEpisodes,
    columns: words('id at_ms origin created_at'),
    refs: { episode_id: 'episodes' },
    keys: ['audio_key'],
    isLater: true,
  },
  {
    name: 'insertion_slots',
    table: insertionSlots,
    where: ofProducts,
    columns: ['rule'],
    refs: { product_id: 'products' },
    identity: ['product_id', 'rule'],
    isLater: true,
  },
  {
    name: 'replaced_passages',
    table: replacedPassages,
    where: ofCreator,
    columns: words('id from_ms to_ms created_at'),
    refs: { creator_id: 'creators', episode_id: 'episodes', clip_id: 'clips' },
    keys: ['audio_key'],
    isLater: true,
  },
];
