import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creators } from '~/db/schema/creators';
import { outbox } from '~/db/schema/notifications';
import { queueJoinLink } from '~/server/domain/audience/join-newsletter';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, lucia } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'audience.send-join-link');

async function askedToConfirm(email: string, avatarKey: string | null): Promise<string> {
  const [creator] = await db
    .update(creators)
    .set({ avatarKey, name: 'Lucía & Co' })
    .where(eq(creators.id, lucia.creatorId))
    .returning();
  await queueJoinLink(ctx, { creatorId: creator!.id, email, language: 'es' });
  const [sent] = await db.select().from(outbox).where(eq(outbox.to, email)).orderBy(outbox.createdAt);
  return sent!.html!;
}

test('the email that asks to confirm shows its creator, and follows the dark scheme', async () => {
  const html = await askedToConfirm('ana@mail.example', 'avatars/lucia');

  expect(html).toMatch(/<img src="[^"]*avatars\/lucia[^"]*\.jpg"/);
  expect(html).toContain('>Lucía &amp; Co</p>');
  expect(html).toContain('@media(prefers-color-scheme:dark)');
  expect(html).toContain('<html lang="es"');
});

test('without a picture, the creator is named', async () => {
  const html = await askedToConfirm('bea@mail.example', null);

  expect(html).not.toContain('<img');
  expect(html).toContain('>Lucía &amp; Co</p>');
});
