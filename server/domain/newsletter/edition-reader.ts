import { and, eq, exists, inArray, or, type SQL } from 'drizzle-orm';
import { holders } from '~/db/schema/access';
import { contacts } from '~/db/schema/audience';
import { editionRecipients } from '~/db/schema/newsletter';
import type { Ctx } from '../../runtime/ctx';
import { isActive } from '../audience/queries';
import { inGroup, isPayer } from './edition-audience';
import type { EditionRow } from './queries';

/**
 * `readsAll`: whether the visitor reads the part for paying subscribers, too. `getsNewsletter`: whether the creator's
 * emails already reach them, so that the page needs no form.
 */
export type EditionReader = { readsAll: boolean; getsNewsletter: boolean };
type Edition = Pick<EditionRow, 'id' | 'creatorId' | 'audience'>;

/**
 * What the visitor may read of an edition on the web. After the line, that is for those who pay now, as in emails. An
 * edition to buyers that has no line (`isClosed`) is for those who got it and for those who now belong to its audience.
 */
export async function findReader(ctx: Ctx, edition: Edition, isClosed: boolean): Promise<EditionReader> {
  if (ctx.actor.type !== 'user') return { readsAll: false, getsNewsletter: false };
  const { userId } = ctx.actor;
  const { creatorId } = edition;
  const isReader = and(eq(contacts.creatorId, creatorId), eq(contacts.userId, userId));
  const [getsNewsletter, readsAll] = await Promise.all([
    isFound(ctx, and(isReader, isActive())),
    isClosed ? isAddressed(ctx, edition, isReader) : pays(ctx, { userId, creatorId }),
  ]);
  return { readsAll, getsNewsletter };
}

async function isAddressed(ctx: Ctx, { id, creatorId, audience }: Edition, isReader: SQL | undefined) {
  const got = ctx.db
    .select({ id: editionRecipients.contactId })
    .from(editionRecipients)
    .where(
      and(
        eq(editionRecipients.editionId, id),
        eq(editionRecipients.contactId, contacts.id),
        inArray(editionRecipients.state, [...GOT]),
      ),
    );
  return isFound(ctx, and(isReader, or(exists(got), await inGroup(ctx, creatorId, audience))));
}

const GOT = ['sent', 'complained'] as const;

async function isFound({ db }: Ctx, where: SQL | undefined): Promise<boolean> {
  const [row] = await db.select({ id: contacts.id }).from(contacts).where(where).orderBy(contacts.id).limit(1);
  return row !== undefined;
}

async function pays(ctx: Ctx, of: { userId: number; creatorId: number }): Promise<boolean> {
  return (await ctx.db.$count(holders, isPayer(ctx, of))) > 0;
}
