import { z } from 'zod';
import { LIST_STATUSES } from '../../domain/episodes/schema';
import { MCP_LIMITS } from '../../limits/apps';
import { cutText, tool, untrusted } from './tool';

const id = (of: string) => z.int().positive().describe(`The id of ${of}`);
const page = z.int().min(1).max(1000).default(1);

export const SHOW_TOOLS = [
  tool({
    name: 'list_shows',
    title: 'List shows',
    description: 'Lists the shows (podcasts and audio series) of the creator.',
    scope: 'shows:read',
    effect: 'read',
    input: z.strictObject({ page }),
    async run({ api }, { page }) {
      const { items, total } = await api.products.list({ page, pageSize: MCP_LIMITS.listed });
      return { total, page, shows: items.map(toShow) };
    },
  }),
  tool({
    name: 'get_show',
    title: 'Get a show',
    description: 'Gets one show with its description and prices, in minor units.',
    scope: 'shows:read',
    effect: 'read',
    input: z.strictObject({ show_id: id('a show') }),
    async run({ api }, { show_id }) {
      const show = await api.products.forEditing({ id: show_id });
      const { priceMinor, annualPriceMinor, currency } = show;
      const prices = { price_minor: priceMinor, annual_price_minor: annualPriceMinor, currency };
      return { ...toShow(show), ...prices, description: cutText(show.description, MCP_LIMITS.shownNotes) };
    },
  }),
  tool({
    name: 'list_episodes',
    title: 'List episodes',
    description: 'Lists the episodes of a show, the newest first, unpublished ones too.',
    scope: 'episodes:read',
    effect: 'read',
    input: z.strictObject({
      show_id: id('a show'),
      status: z
        .enum(LIST_STATUSES)
        .optional()
        .describe('Episodes on hold are drafts, which never were published, or unpublished'),
      search: z.string().max(100).optional(),
      page,
    }),
    async run({ api }, { show_id, status, search, page }) {
      const asked = { productId: show_id, status, search, page, pageSize: MCP_LIMITS.listed };
      const { items, total } = await api.episodes.list(asked);
      return { total, page, episodes: items.map(toEpisode) };
    },
  }),
  tool({
    name: 'get_episode',
    title: 'Get an episode',
    description: 'Gets one episode with its notes and chapters.',
    scope: 'episodes:read',
    effect: 'read',
    input: z.strictObject({ episode_id: id('an episode') }),
    async run({ api }, { episode_id }) {
      const episode = await api.episodes.forEditing({ id: episode_id });
      const chapters = await api.episodes.chapters({ id: episode_id });
      return {
        ...toEpisode(episode),
        notes: cutText(episode.writtenDescription ?? '', MCP_LIMITS.shownNotes),
        chapters: chapters.map(({ startMs, title, url }) => ({ start_ms: startMs, title, url })),
      };
    },
  }),
  tool({
    name: 'search_transcripts',
    title: 'Search transcripts',
    description: 'Finds passages of transcripts that have all the words, in all shows of the creator.',
    scope: 'episodes:read',
    effect: 'read',
    input: z.strictObject({ words: z.string().min(1).max(200), page: z.int().min(1).max(20).default(1) }),
    async run({ api }, { words, page }) {
      const { items, next } = await api.transcripts.search({ words, part: page });
      return {
        next_page: next,
        // guests and callers may have said it
        passages: items.map(({ episode, product, startMs, text }) => ({
          episode: { id: episode.id, name: episode.name },
          show: product.name,
          start_ms: startMs,
          text: untrusted(text),
        })),
      };
    },
  }),
];

type Show = { id: number; kind: string; name: string; language: string; isFree: boolean; episodesCount: number };

const toShow = ({ id, kind, name, language, isFree, episodesCount }: Show) => ({
  id,
  kind,
  name,
  language,
  is_free: isFree,
  published_episodes: episodesCount,
});

type Episode = {
  id: number;
  productId: number;
  name: string;
  status: string;
  type: string;
  releaseDate: Date | null;
  durationSeconds: number | null;
  hasTranscript: boolean;
};

const toEpisode = (episode: Episode) => ({
  id: episode.id,
  show_id: episode.productId,
  name: episode.name,
  status: episode.status,
  type: episode.type,
  release_at: episode.releaseDate,
  duration_seconds: episode.durationSeconds,
  has_transcript: episode.hasTranscript,
});
