import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts, suppressions } from '~/db/schema/audience';
import { episodeEmailOptOuts } from '~/db/schema/notifications';
import { leaveLink } from '~/server/domain/audience/leave-newsletter';
import { unsubscribeLink } from '~/server/domain/notifications/unsubscribe';
import { RATE_LIMITS } from '~/server/limits/http';
import { cast } from '../../support/cast';
import { pagesApp } from '../../support/pages-app';

const { runtime, env, visitorCtx, make, podcast } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
/** As email providers do it (RFC 8058), all from one network. */
const press = async (url: string) =>
  (
    await app.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
  ).status;

test('more people than any limit leave from one network, and invalid links are slowed down', async () => {
  const { creatorId } = await make.creator();
  const count = Math.max(RATE_LIMITS.publicWrite.points, RATE_LIMITS.invalidLink.points) + 5;
  const readers = await db
    .insert(contacts)
    .values(
      Array.from({ length: count }, (_, i) => ({
        ...{ creatorId, email: `one-click-${i}@mail.example`, status: 'active', source: 'form', language: 'en' },
      })) as never,
    )
    .returning({ id: contacts.id, email: contacts.email });
  const links = readers.map((reader) => leaveLink(visitorCtx(), { creatorId, ...reader }, 'en').url);
  const invalid = links[0]!.replace(/list=.*/, 'list=x.y');
  const refused: number[] = [];
  for (let i = 0; i <= RATE_LIMITS.invalidLink.points; i += 1) refused.push(await press(invalid));
  expect(refused.at(-1)).toBe(429);

  const answers = new Set<number>();
  for (const link of links) answers.add(await press(link));
  answers.add(await press(unsubscribeLink(visitorCtx(), { email: 'a@mail.example', productId: podcast.id }, 'en').url));

  expect([...answers]).toEqual([200]);
  expect(await db.$count(suppressions, eq(suppressions.creatorId, creatorId))).toBe(count);
  expect(await db.$count(episodeEmailOptOuts, eq(episodeEmailOptOuts.email, 'a@mail.example'))).toBe(1);
});

test('pressing again writes nothing, unless the person has come back', async () => {
  const { creatorId } = await make.creator();
  const email = 'again@mail.example';
  const state = { status: 'active', source: 'form', language: 'en' } as const;
  const [row] = await db
    .insert(contacts)
    .values({ creatorId, email, ...state })
    .returning({ id: contacts.id });
  const { url } = leaveLink(visitorCtx(), { creatorId, email, id: row!.id }, 'en');
  await press(url);
  const long = new Date('2020-01-01T00:00:00Z');
  const change = (values: Partial<typeof contacts.$inferInsert>) =>
    db.update(contacts).set(values).where(eq(contacts.id, row!.id));
  await change({ updatedAt: long });
  expect(await press(url)).toBe(200);
  const [kept] = await db.select().from(contacts).where(eq(contacts.id, row!.id));
  expect(kept!.updatedAt).toEqual(long);

  await change({ status: 'active', inactiveAs: null, statusReason: 'form' });
  expect(await press(url)).toBe(200);
  const [left] = await db.select().from(contacts).where(eq(contacts.id, row!.id));
  expect(left).toMatchObject({ status: 'inactive', inactiveAs: 'unsubscribed' });
});
