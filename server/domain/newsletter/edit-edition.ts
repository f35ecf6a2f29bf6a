import { and, desc, eq, gt, inArray, notInArray } from 'drizzle-orm';
import { editions, editionVersions } from '~/db/schema/newsletter';
import { earlier } from '../../base/time';
import { cleanEdition } from '../../edition/clean-edition';
import { isStoredPicture } from '../../edition/picture-path';
import { EDITING_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { tellsBuyers } from './edition-audience';
import { episodeDraft } from './episode-draft';
import { editionChanged, editionNotFound, editionSent, slugTaken, tooManyEditions } from './errors';
import { type EditionRow, findVersion, isOrdinary, lockEdition, whereEdition } from './queries';
import { picturesIn, releasePictures } from './release-pictures';
import { isEditable, leavesArchive, OPEN_STATES } from './rules';
import type { CreateEdition, FindEdition, KeepText, RestoreVersion, UpdateEdition } from './schema';

/**
 * A draft, empty or about an episode. @throws newsletter.too_many_editions, episode.not_found, common.role_not_allowed
 */
export async function createEdition(ctx: Ctx, { episodeId }: CreateEdition): Promise<{ id: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const draft = episodeId === undefined ? {} : await episodeDraft(ctx, creatorId, episodeId);
  return transact(ctx, (tx) => insertDraft(tx, creatorId, draft));
}

/** @throws newsletter.too_many_editions */
export async function insertDraft(tx: TxCtx, creatorId: number, draft: Partial<EditionRow>): Promise<{ id: number }> {
  await lockCreator(tx, creatorId);
  const count = await tx.db.$count(editions, and(eq(editions.creatorId, creatorId), isOrdinary()));
  if (count >= EDITING_LIMITS.editions) throw tooManyEditions({ count: EDITING_LIMITS.editions });
  const now = tx.now();
  const [row] = await tx.db
    .insert(editions)
    .values({ ...draft, creatorId, createdAt: now, updatedAt: now })
    .returning({ id: editions.id });
  await recordActivity(tx, { creatorId, action: 'edition.created', subjectId: row!.id });
  return row!;
}

/**
 * Changes the fields that were sent. An edition that is scheduled becomes a draft again only by hand; one that was sent
 * keeps its text, because people have it, and changes where the archive shows it. A step of an automation can always be
 * changed, for those whose email is not leased yet. A narrower audience than everyone takes it out of the public archive.
 * The content is cleaned before it is stored. `keepsOther`: what another window has saved becomes a version, however new
 * the last one is.
 * @throws newsletter.slug_taken, newsletter.edition_not_found, newsletter.edition_changed, newsletter.edition_sent, common.role_not_allowed
 */
export async function updateEdition(
  ctx: Ctx,
  { id, revision, keepsOther, ...changes }: UpdateEdition,
): Promise<{ revision: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  if (changes.audience && (await tellsBuyers(ctx, creatorId, changes.audience)))
    authorize(ctx, 'product.readBuyers', { creatorId });
  const content = changes.content === undefined ? undefined : await cleanEdition(changes.content, isStoredPicture);
  return transact(ctx, async (tx) => {
    const edition = await lockEdition(tx, { creatorId, id });
    if (edition.automationId !== null && Object.keys(changes).some((field) => NOT_OF_STEPS.has(field)))
      throw editionNotFound();
    if (edition.revision !== revision) throw editionChanged();
    if (!isEditable(edition) && Object.keys(changes).some((field) => !KEPT_AFTERWARDS.has(field))) throw editionSent();
    if (keepsOther) await addVersion(tx, versionOf(edition, tx.now()));
    else await keepVersion(tx, edition);
    // the archive is cached
    if (edition.startedAt && edition.automationId === null) await markCreatorChanged(tx, creatorId);
    const leaves = leavesArchive(edition.audience, changes.audience) && { isInArchive: false };
    return bumpEdition(tx, edition, { ...leaves, ...changes, ...(content !== undefined && { content }) });
  }).catch(asConflict);
}

/** What can be changed after an edition was sent. */
const KEPT_AFTERWARDS: ReadonlySet<string> = new Set(['seoTitle', 'seoDescription', 'isInArchive']);

/** An automation decides who gets its steps, and no archive shows them. */
const NOT_OF_STEPS: ReadonlySet<string> = new Set(['audience', 'slug', 'isInArchive']);

async function bumpEdition(
  tx: TxCtx,
  { id, revision }: EditionRow,
  changes: Partial<EditionRow>,
): Promise<{ revision: number }> {
  const next = revision + 1;
  await tx.db
    .update(editions)
    .set({ ...changes, revision: next, updatedAt: tx.now() })
    .where(eq(editions.id, id));
  return { revision: next };
}

/** On a race for a slug, the unique index wins. */
function asConflict(error: unknown): never {
  throw violates(error, 'editions_slug_once') ? slugTaken() : error;
}

const versionOf = ({ id: editionId, revision, title, preheader, content }: EditionRow, createdAt: Date) => ({
  ...{ editionId, revision, title, preheader, content, createdAt },
});

/** Keeps what an edition was before a change, unless another version is only minutes old. */
async function keepVersion(tx: TxCtx, edition: EditionRow): Promise<void> {
  const since = earlier(tx.now(), EDITING_LIMITS.versionEvery);
  const own = eq(editionVersions.editionId, edition.id);
  const isRecent = (await tx.db.$count(editionVersions, and(own, gt(editionVersions.createdAt, since)))) > 0;
  if (!isRecent && edition.content !== '') await addVersion(tx, versionOf(edition, tx.now()));
}

/** The oldest ones beyond the limit go. */
async function addVersion(tx: TxCtx, version: typeof editionVersions.$inferInsert): Promise<void> {
  await tx.db.insert(editionVersions).values(version).onConflictDoNothing();
  const own = eq(editionVersions.editionId, version.editionId);
  const kept = tx.db
    .select({ revision: editionVersions.revision })
    .from(editionVersions)
    .where(own)
    .orderBy(desc(editionVersions.revision))
    .limit(EDITING_LIMITS.versions);
  await tx.db.delete(editionVersions).where(and(own, notInArray(editionVersions.revision, kept)));
}

/**
 * Keeps a text as a version without making it the edition's: its window shows what another one has saved. The revision
 * counts on, because the version needs a number. @throws newsletter.edition_not_found, newsletter.edition_changed,
 * newsletter.edition_sent
 */
export async function keepText(
  ctx: Ctx,
  { id, revision, title, preheader, content: html }: KeepText,
): Promise<{ revision: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const content = await cleanEdition(html, isStoredPicture);
  return transact(ctx, async (tx) => {
    const edition = await lockEdition(tx, { creatorId, id });
    if (edition.revision !== revision) throw editionChanged();
    if (!isEditable(edition)) throw editionSent();
    await addVersion(tx, versionOf({ ...edition, title, preheader, content }, tx.now()));
    return bumpEdition(tx, edition, {});
  });
}

/** Brings back what an edition was; what it is now is kept, too. @throws newsletter.version_not_found, newsletter.edition_sent */
export async function restoreVersion(ctx: Ctx, { id, version }: RestoreVersion): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const edition = await lockEdition(tx, { creatorId, id });
    if (!isEditable(edition)) throw editionSent();
    const found = await findVersion(tx, { id, version });
    await addVersion(tx, versionOf(edition, tx.now()));
    await bumpEdition(tx, edition, found);
  });
}

/** Deletes a draft, its versions and its pictures. An edition that was sent stays, because people may look for it. @throws newsletter.edition_sent */
export async function deleteEdition(ctx: Ctx, { id }: FindEdition): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    // nobody copies its pictures meanwhile
    await lockCreator(tx, creatorId);
    const isDraft = and(whereEdition({ creatorId, id }), isOrdinary(), inArray(editions.status, OPEN_STATES));
    const versions = await tx.db
      .select({ content: editionVersions.content })
      .from(editionVersions)
      .where(eq(editionVersions.editionId, id))
      .orderBy(editionVersions.revision)
      .limit(EDITING_LIMITS.versions);
    const deleted = { title: editions.title, content: editions.content };
    const [row] = await tx.db.delete(editions).where(isDraft).returning(deleted);
    if (row) {
      const contents = [row, ...versions].map(({ content }) => content);
      await releasePictures(tx, creatorId, picturesIn(contents));
      await recordActivity(tx, { creatorId, action: 'edition.deleted', subjectId: id, params: { name: row.title } });
      return;
    }
    const exists = (await tx.db.$count(editions, and(whereEdition({ creatorId, id }), isOrdinary()))) > 0;
    throw exists ? editionSent() : editionNotFound();
  });
}
