import { pick } from '../../base/fields';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { PAGE_LIMITS } from '../../limits/paging';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { type CreatorRow, findCreator } from '../creators/queries';
import { CREATOR_COLUMNS, type UpdateCreator } from '../creators/schema';
import { type CreatorView, toCreatorView } from '../creators/views';
import { type DonationBlock, donationBlock } from '../donations/block';
import { listLatestRows, listMatchingRows } from '../episodes/page-episodes';
import { type FoundPassages, hasReadableTranscript, searchTranscripts } from '../episodes/search-transcripts';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { listProductRows } from '../products/queries';
import { type ProductView, toProductView } from '../products/views';
import { findCreatorPage, type Moved } from './find-page';
import type { CreatorPageInput } from './schema';

export type CreatorPage = {
  moved: null;
  creator: CreatorView;
  products: ProductView[];
  /** The newest episodes of all products that all visitors can play. */
  latest: EpisodeView[];
  /** Null if the creator accepts no donations. */
  donation: DonationBlock | null;
  isSearchable: boolean;
  /** What has the requested words; null without a search. */
  found: { episodes: EpisodeView[]; passages: FoundPassages } | null;
};

/** A creator's public page. @throws creator.not_found */
export async function creatorPage(ctx: Ctx, input: CreatorPageInput): Promise<Moved | CreatorPage> {
  const { creator, movedTo } = await findCreatorPage(ctx, input);
  if (movedTo) return { moved: movedTo };
  const [page, found] = await Promise.all([pageOf(ctx, creator), findSaid(ctx, creator.id, input)]);
  return { ...page, found };
}

/** The newest episodes whose name or notes have the words, and the passages where they are said. */
async function findSaid(
  ctx: Ctx,
  creatorId: number,
  { search: words, part = 1 }: Omit<CreatorPageInput, 'domain'>,
): Promise<CreatorPage['found']> {
  if (!words) return null;
  const [rows, passages] = await Promise.all([
    listMatchingRows(ctx, { creatorId, words }),
    searchTranscripts(ctx, { within: { creatorId }, words, part }),
  ]);
  return { episodes: rows.map((row) => toEpisodeView(ctx, row)), passages };
}

/** A preview of the current user's page with these unsaved changes. @throws creator.not_found */
export async function creatorPreview(ctx: Ctx, input: UpdateCreator): Promise<CreatorPage> {
  const { creatorId } = requireCreator(ctx);
  const creator = authorize(ctx, 'creator.manage', await findCreator(ctx, creatorId));
  const changes = pick(input, CREATOR_COLUMNS);
  return pageOf(ctx, { ...creator, ...changes });
}

const SHOWN = { page: 1, pageSize: PAGE_LIMITS.maxSize, ordering: '-created_at', archived: false } as const;

async function pageOf(ctx: Ctx, creator: CreatorRow): Promise<CreatorPage> {
  const [{ items }, latest, donation, hasTranscript] = await Promise.all([
    listProductRows(ctx, creator.id, SHOWN, { offered: true }),
    listLatestRows(ctx, creator.id, PAGE_LIMITS.latest),
    donationBlock(ctx, creator),
    hasReadableTranscript(ctx, { creatorId: creator.id }),
  ]);
  const episodesCount = items.reduce((sum, row) => sum + row.episodesCount, 0);
  return {
    moved: null,
    creator: toCreatorView(ctx, creator),
    products: items.map((row) => toProductView(ctx, row)),
    latest: latest.map((row) => toEpisodeView(ctx, row)),
    donation,
    isSearchable: hasTranscript || episodesCount > EPISODE_LIMITS.searchedAbove,
    found: null,
  };
}
