import { and, eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { invitations, members } from '~/db/schema/team';
import { hashToken } from '../auth/token-hash';
import { updateProduct } from '../domain/products/draft-product';
import { acceptInvitation } from '../domain/team/accept-invitation';
import { inviteMember } from '../domain/team/invite-member';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';

/** Invites and accepts as people do, lets editors work, and leaves one invitation pending. */
export async function seedTeams(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  for (const person of cast) {
    const owner = cast.find(({ email }) => email === person.worksFor?.owner);
    if (owner && person.worksFor) await joinTeam(await actAs(runtime, owner), person, await actAs(runtime, person));
    if (person.invites) await inviteOnce(await actAs(runtime, person), person.invites);
  }
}

async function joinTeam(owner: Ctx, { email, worksFor }: DemoPerson, member: Ctx): Promise<void> {
  const creatorId = owner.actor.type === 'user' ? owner.actor.creatorId : null;
  if (creatorId === null || member.actor.type !== 'user' || !worksFor) return;
  const { userId } = member.actor;
  const membership = and(eq(members.creatorId, creatorId), eq(members.userId, userId));
  if ((await owner.db.$count(members, membership)) > 0) return;
  const { role } = worksFor;
  await inviteMember(owner, { email, role });
  await acceptInvitation(member, { token: await tokenFor(owner, email) });
  if (role === 'editor') await saveShows({ ...member, actor: { ...member.actor, creatorId, role } }, creatorId);
}

/** The token of a valid invitation to an address. */
async function tokenFor({ db }: Ctx, email: string): Promise<string> {
  const sent = await db.select({ text: outbox.text }).from(outbox).where(eq(outbox.to, email));
  const [row] = await db.select().from(invitations).where(eq(invitations.email, email));
  const tokens = sent.flatMap(({ text }) => /invitation\?token=([\w-]+)/.exec(text)?.[1] ?? []);
  return tokens.find((token) => hashToken(token) === row?.tokenHash) ?? '';
}

/** Saves each show unchanged, so that the log has entries. */
async function saveShows(editor: Ctx, creatorId: number): Promise<void> {
  const { id, kind, name } = products;
  const shows = await editor.db.select({ id, kind, name }).from(products).where(eq(products.creatorId, creatorId));
  for (const show of shows) await updateProduct(editor, show);
}

async function inviteOnce(owner: Ctx, { email, role }: NonNullable<DemoPerson['invites']>): Promise<void> {
  const { actor, db } = owner;
  if (actor.type !== 'user') return;
  const sent = await db
    .select({ id: invitations.id })
    .from(invitations)
    .innerJoin(creators, eq(creators.id, invitations.creatorId))
    .where(and(eq(invitations.email, email), eq(creators.userId, actor.userId)));
  if (sent.length === 0) await inviteMember(owner, { email, role });
}
