import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { NOTIFICATIONS_PATH, RECOMMENDATIONS_PATH } from '../../base/account-paths';
import { languagePrefix } from '../../base/public-paths';
import type { TxCtx } from '../../runtime/ctx';
import { queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import type { Side } from './queries';

export type RecommendationNews =
  | 'recommendation_requested'
  | 'swap_requested'
  | 'recommendation_accepted'
  | 'recommendation_declined'
  | 'recommendation_ended';

type Facts = {
  to: Pick<Side['creator'], 'userId' | 'closedAt'>;
  /** The other side. */
  by: { product: { name: string }; creator: { name: string } };
  /** The show of the creator who gets the email. */
  show: { name: string };
};

/** Emails a creator about a recommendation, unless they have turned these emails off. */
export async function tellOfRecommendation(
  tx: TxCtx,
  news: RecommendationNews,
  { to, by, show }: Facts,
): Promise<void> {
  if (to.closedAt) return;
  const [owner] = await tx.db.select().from(users).where(eq(users.id, to.userId));
  if (!owner) return;
  const language = owner.language ?? DEFAULT_LANGUAGE;
  const translate = (key: string, params?: Record<string, string | number>) => tx.translate(key, params, language);
  const page = (path: string) => tx.urls.app(languagePrefix(language) + path);
  const facts = {
    ...{ name: owner.name, url: page(RECOMMENDATIONS_PATH) },
    ...{ show: show.name, other: by.product.name, creator: by.creator.name },
  };
  const { subject, content } = accountEmail(translate, news, facts);
  await queueEmail(tx, {
    to: owner.email,
    userId: owner.id,
    topic: 'recommendation',
    language,
    subject,
    content: {
      ...content,
      footerLink: { label: translate('mail:recommendation.settings'), url: page(NOTIFICATIONS_PATH) },
    },
  });
}
