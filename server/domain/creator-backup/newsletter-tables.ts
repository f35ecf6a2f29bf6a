import { sql } from 'drizzle-orm';
import { automations } from '~/db/schema/automations';
import { editionLinks, editions, newsletters } from '~/db/schema/newsletter';
import { EDITING_LIMITS } from '../../limits/newsletter';
import { type ExportedTable, ofCreator, TIMES, words } from './exported-table';
import { newEdition } from './imported-editions';

const ofEditions = (creatorId: number) =>
  sql`t.edition_id in (select id from editions where creator_id = ${creatorId} and removed_at is null)`;
/** What was removed only answers links of emails of this installation. */
const isKept = (creatorId: number) => sql`${ofCreator(creatorId)} and t.removed_at is null`;
const REMOVED = 'those that were removed are not in it';
const STILL_STATUS = sql`case
  when t.automation_id is not null or t.status = 'scheduled' then 'draft'
  when t.status = 'sending' then 'cancelled' else t.status end`;

/** The newsletter and its editions, after the contacts and their segments. */
export const NEWSLETTER_TABLES: ExportedTable[] = [
  {
    name: 'newsletters',
    table: newsletters,
    where: ofCreator,
    columns: words(
      `name description category language sender_name sender_email header footer sends_welcome welcome_subject
      welcome_content may_be_recommended ${TIMES}`,
    ),
    refs: { creator_id: 'creators' },
    keys: ['logo_key'],
    leftOut: { sender_verified_at: 'whoever imports it proves the address again' },
    isLater: true,
    identity: ['creator_id'],
  },
  {
    name: 'automations',
    table: automations,
    where: isKept,
    columns: words(`id name trigger is_active ${TIMES}`),
    refs: { creator_id: 'creators', product_id: 'products' },
    shown: { is_active: () => sql`false` },
    adapt: async (row) => ({ ...row, is_active: false }),
    leftOut: { active_since: 'they are off until the creator switches them on', removed_at: REMOVED },
    isLater: true,
  },
  {
    name: 'editions',
    table: editions,
    where: isKept,
    columns: words(
      `id slug status title preheader description content tags seo_title seo_description audience is_in_archive revision
      scheduled_at problem started_at ended_at recipients opens delay_hours ${TIMES}`,
    ),
    refs: { creator_id: 'creators', automation_id: 'automations' },
    // another installation sends nothing on its own
    shown: { status: () => STILL_STATUS },
    adapt: newEdition,
    leftOut: { removed_at: REMOVED },
    slugs: ['slug'],
    lists: { tags: { items: EDITING_LIMITS.tags, length: EDITING_LIMITS.tagLength } },
    isLater: true,
  },
  {
    name: 'edition_links',
    table: editionLinks,
    where: ofEditions,
    columns: words('position href clicks'),
    refs: { edition_id: 'editions' },
    urls: ['href'],
    isLater: true,
    identity: ['edition_id', 'position'],
  },
];
