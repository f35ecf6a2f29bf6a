import { eq, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { previewPath } from '../../base/public-paths';
import { DAYS } from '../../base/time';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { VISITOR } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { isEpisodePublic } from '../../policy/visibility';
import { type Ctx, transact } from '../../runtime/ctx';
import { isSignature } from '../notifications/signed-tokens';
import { recordAbout } from '../team/activity';
import { previewExpired } from './errors';
import { type EpisodeRecord, factsOf, findEpisodeRecord, selectEpisodes } from './queries';
import type { FindEpisode } from './schema';

const SIGNED_FOR = 'episode preview';

export type PreviewLink = { url: string; expiresAt: Date };

/**
 * A link that lets every visitor see and hear an episode before it is published, until the link expires or is revoked.
 * Links created on the same day are equal. @throws episode.not_found, episode.preview_expired while the show is
 * archived
 */
export async function previewLink(ctx: Ctx, { id, kind }: FindEpisode): Promise<PreviewLink> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const { previewVersion } = authorize(ctx, 'episode.manage', found.episode);
  if (!isEpisodePublic(factsOf(found))) throw previewExpired();
  const lastDay = Math.ceil((ctx.now().getTime() + EPISODE_LIMITS.previewed) / DAYS(1));
  const signed = { id, version: previewVersion, lastDay };
  const token = `${id}-${lastDay}-${signatureOf(ctx, signed)}`;
  return { url: ctx.urls.creator(found.creator.domain, previewPath(token)), expiresAt: new Date(lastDay * DAYS(1)) };
}

/** Invalidates all former links. @throws episode.not_found */
export async function revokePreviews(ctx: Ctx, { id, kind }: FindEpisode): Promise<void> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  await transact(ctx, async (tx) => {
    const previewVersion = sql`${episodes.previewVersion} + 1`;
    await tx.db.update(episodes).set({ previewVersion }).where(eq(episodes.id, episode.id));
    await recordAbout(tx, 'episode.previews_revoked', episode);
  });
}

export type Previewer = Pick<Ctx, 'db' | 'now' | 'vault'>;

/**
 * The episode of a link, as a visitor sees it. @throws episode.preview_expired, also if the link is forged or revoked,
 * or if the episode was deleted or its show archived; unknown visitors must not learn which
 */
export async function findPreviewed(ctx: Previewer, token: string): Promise<EpisodeRecord> {
  const [, id, day, signature = ''] = /^([1-9]\d{0,14})-(\d{1,6})-([\w-]{20,100})$/.exec(token) ?? [];
  const lastDay = Number(day);
  if (id === undefined || lastDay * DAYS(1) <= ctx.now().getTime()) throw previewExpired();
  const reader = { db: ctx.db, now: ctx.now, actor: VISITOR };
  const [found] = await selectEpisodes(reader).where(eq(episodes.id, Number(id)));
  const version = found?.episode.previewVersion ?? 0;
  const isSigned = isSignature(signature, signatureOf(ctx, { id: Number(id), version, lastDay }));
  if (!found || !isSigned || !isEpisodePublic(factsOf(found))) throw previewExpired();
  return found;
}

type Signed = { id: number; version: number; lastDay: number };

const signatureOf = ({ vault }: Pick<Ctx, 'vault'>, { id, version, lastDay }: Signed): string =>
  vault.fingerprint(`${id} ${version} ${lastDay}`, SIGNED_FOR);
