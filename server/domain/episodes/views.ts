import type { Ctx } from '../../ctx';
import { may } from '../../policy/authorize';
import { type CoverUrls, coverUrls } from '../media/rules';
import type { KindName } from '../products/kinds';
import { type EpisodeRecord, factsOf } from './queries';
import type { EpisodeStatus, EpisodeType } from './rules';

/** An episode as every door gives it away, to this very caller. */
export type EpisodeView = {
  id: number;
  kind: KindName;
  productId: number;
  name: string;
  slug: string;
  /** Sanitised HTML. */
  description: string;
  /** Only for the owner. */
  privateNote: string | null;
  cover: CoverUrls;
  hasOwnCover: boolean;
  /** Playable address; null without access. */
  url: string | null;
  hasAccess: boolean;
  durationSeconds: number | null;
  fileSize: number | null;
  fileName: string | null;
  releaseDate: Date | null;
  type: EpisodeType;
  status: EpisodeStatus;
  /** Why the audio was refused: an error code, for the owner. */
  failureReason: string | null;
  warnings: string[];
  sendEmail: boolean;
  season: number | null;
  number: number | null;
  explicit: boolean;
  product: { id: number; kind: KindName; name: string; slug: string };
  creator: { id: number; name: string; domain: string };
  createdAt: Date;
  updatedAt: Date;
};

export function toEpisodeView(ctx: Ctx, record: EpisodeRecord): EpisodeView {
  const { episode, product, creator } = record;
  const hasAccess = may(ctx, 'episode.play', factsOf(record));
  const owner = may(ctx, 'episode.manage', episode);
  const { id, productId, name, slug, description, type, status, sendEmail, season, number, explicit } = episode;
  return {
    id,
    kind: product.kind,
    productId,
    name,
    slug,
    description,
    privateNote: owner ? episode.privateNote : null,
    cover: coverUrls(episode.coverKey ?? product.coverKey),
    hasOwnCover: episode.coverKey !== null,
    url: hasAccess ? ctx.urls.audio(id, slug) : null,
    hasAccess,
    durationSeconds: episode.durationMs === null ? null : episode.durationMs / 1000,
    fileSize: episode.audioBytes,
    fileName: owner ? episode.fileName : null,
    releaseDate: episode.releaseAt,
    type,
    status,
    failureReason: owner ? episode.failureReason : null,
    warnings: owner ? episode.audioWarnings : [],
    sendEmail,
    season,
    number,
    explicit,
    product: { id: product.id, kind: product.kind, name: product.name, slug: product.slug },
    creator,
    createdAt: episode.createdAt,
    updatedAt: episode.updatedAt,
  };
}
