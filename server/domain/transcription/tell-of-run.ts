import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { NOTIFICATIONS_PATH } from '../../base/account-paths';
import { languagePrefix } from '../../base/public-paths';
import { later } from '../../base/time';
import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import type { TxCtx } from '../../runtime/ctx';
import { queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { KINDS } from '../products/kinds';
import type { RunRow } from './queries';

/** `waiting`: the result is not stored, because the transcript was changed meanwhile. `reason`: code of the error. */
type Outcome = { status: 'done' | 'waiting' } | { status: 'failed'; reason: string };

/**
 * Emails the creator how a run ended, unless they have turned these emails off. A short run causes none: the creator has
 * probably seen its end.
 */
export async function tellOfRun(tx: TxCtx, { episodeId, startedAt }: RunRow, outcome: Outcome): Promise<void> {
  if (episodeId === null || tx.now() < later(startedAt, TRANSCRIPTION_LIMITS.toldAfter)) return;
  const [found] = await tx.db
    .select({ episode: episodes, kind: products.kind, user: users, closedAt: creators.closedAt })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .innerJoin(users, eq(users.id, creators.userId))
    .where(eq(episodes.id, episodeId));
  if (!found || found.closedAt) return;
  const { episode, kind, user } = found;
  const language = user.language ?? DEFAULT_LANGUAGE;
  const translate = (key: string, params?: Record<string, string | number>) => tx.translate(key, params, language);
  const page = (path: string) => tx.urls.app(languagePrefix(language) + path);
  const { subject, content } = accountEmail(translate, `transcription_${outcome.status}`, {
    name: user.name,
    url: page(`/${KINDS[kind].path}/${episode.productId}/episodes/${episodeId}/transcript`),
    episode: episode.name,
    reason: outcome.status === 'failed' ? translate(`errors:${outcome.reason}`) : '',
  });
  const footerLink = { label: translate('mail:transcription.settings'), url: page(NOTIFICATIONS_PATH) };
  await queueEmail(tx, {
    ...{ to: user.email, userId: user.id, topic: 'transcription', language, subject },
    content: { ...content, footerLink },
  });
}
