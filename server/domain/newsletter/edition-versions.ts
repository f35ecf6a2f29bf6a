import { desc, eq } from 'drizzle-orm';
import { editionVersions } from '~/db/schema/newsletter';
import { EDITING_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findEditionRow } from './queries';
import { plainText, wordChange } from './rules';
import type { FindEdition } from './schema';

/**
 * What an edition was at a time. `beginning`: its first words. `added`, `removed`: words that the version has more, or
 * less, than the edition has now.
 */
export type EditionVersion = {
  revision: number;
  title: string;
  createdAt: Date;
  beginning: string;
  added: number;
  removed: number;
};

const BEGINNING = 90;

/** The versions that can be restored, the latest first. @throws newsletter.edition_not_found */
export async function listVersions(ctx: Ctx, { id }: FindEdition): Promise<EditionVersion[]> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const edition = await findEditionRow(ctx, { creatorId, id });
  const rows = await ctx.db
    .select()
    .from(editionVersions)
    .where(eq(editionVersions.editionId, id))
    .orderBy(desc(editionVersions.revision))
    .limit(EDITING_LIMITS.shownVersions);
  const now = plainText(edition.content);
  return rows.map(({ revision, title, createdAt, content }) => {
    const text = plainText(content);
    return { revision, title, createdAt, beginning: text.slice(0, BEGINNING).toWellFormed(), ...wordChange(now, text) };
  });
}
