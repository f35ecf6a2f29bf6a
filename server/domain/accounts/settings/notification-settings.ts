import { and, eq, inArray } from 'drizzle-orm';
import { notificationOptOuts, users } from '~/db/schema/accounts';
import { requireUser } from '../../../policy/actor';
import { type Ctx, transact } from '../../../runtime/ctx';
import { OPTIONAL_TOPICS, type OptionalTopic } from '../../notifications/kinds';
import { findUser } from '../base/queries';
import type { UpdateNotifications } from '../base/schema';

/** Which optional emails the user gets, and whether they have consented to marketing emails. */
export type NotificationSettings = Record<OptionalTopic | 'marketing', boolean>;

export async function notificationSettings(ctx: Ctx): Promise<NotificationSettings> {
  const { userId } = requireUser(ctx);
  const user = await findUser(ctx, userId);
  const optOuts = await ctx.db.select().from(notificationOptOuts).where(eq(notificationOptOuts.userId, userId));
  const off = new Set(optOuts.map(({ topic }) => topic));
  const topics = OPTIONAL_TOPICS.map((topic) => [topic, !off.has(topic)] as const);
  return {
    ...(Object.fromEntries(topics) as Record<OptionalTopic, boolean>),
    marketing: user.marketingConsentedAt !== null,
  };
}

/** Turns topics on and off. A consent to marketing keeps the time of its first grant. */
export async function updateNotifications(ctx: Ctx, input: UpdateNotifications): Promise<void> {
  const { userId } = requireUser(ctx);
  const off = OPTIONAL_TOPICS.filter((topic) => input[topic] === false);
  const on = OPTIONAL_TOPICS.filter((topic) => input[topic] === true);
  await transact(ctx, async (tx) => {
    if (off.length > 0) {
      const rows = off.map((topic) => ({ userId, topic, createdAt: tx.now() }));
      await tx.db.insert(notificationOptOuts).values(rows).onConflictDoNothing();
    }
    if (on.length > 0) {
      const chosen = and(eq(notificationOptOuts.userId, userId), inArray(notificationOptOuts.topic, on));
      await tx.db.delete(notificationOptOuts).where(chosen);
    }
    if (input.marketing === undefined) return;
    const { marketingConsentedAt } = await findUser(tx, userId);
    const consent = input.marketing ? (marketingConsentedAt ?? tx.now()) : null;
    await tx.db.update(users).set({ marketingConsentedAt: consent }).where(eq(users.id, userId));
  });
}
