import { z } from 'zod';
import { CURRENCIES } from '../../base/money';
import { MCP_LIMITS } from '../../limits/apps';
import { toPlain } from '../v1/views/plain-view';
import { buyersLink, editionLink, moneyLink, publishLink } from './studio-links';
import { tool, untrusted } from './tool';

const id = (of: string) => z.int().positive().describe(`The id of ${of}`);
const day = z.iso.date().optional();

export const FIGURE_TOOLS = [
  tool({
    name: 'get_statistics',
    title: 'Get statistics',
    description:
      'Plays in a period of days, by default the last 30: of an episode, of a show, or of all shows without an id.',
    scope: 'statistics:read',
    effect: 'read',
    input: z.strictObject({
      show_id: id('a show').optional(),
      episode_id: id('an episode').optional(),
      from: day,
      to: day,
    }),
    async run({ api }, { show_id, episode_id, from, to }) {
      const { period, totals, evolution } = await statisticsOf();
      const figures = { totals: toPlain(totals), points: toPlain(evolution.slice(-MCP_LIMITS.points)) };
      return { from: period.from, to: period.to, ...figures };

      function statisticsOf() {
        if (episode_id !== undefined) return api.statistics.ofEpisode({ id: episode_id, from, to });
        if (show_id !== undefined) return api.statistics.ofShow({ id: show_id, from, to });
        return api.statistics.ofCreator({ from, to });
      }
    },
  }),
  tool({
    name: 'audience_counts',
    title: 'Count the audience',
    description: 'How many contacts there are by state, and the names of tags and segments. Returns no addresses.',
    scope: 'contacts:read',
    effect: 'read',
    input: z.strictObject({ tag: z.string().min(1).max(100).optional() }),
    async run({ api }, { tag }) {
      const [active, pending, inactive] = await Promise.all(
        (['active', 'pending', 'inactive'] as const).map((status) =>
          api.contacts.list({ status, ...(tag && { tag }) }),
        ),
      );
      return {
        active: active!.found.count,
        pending: pending!.found.count,
        inactive: inactive!.found.count,
        are_minimums: [active, pending, inactive].some((page) => page!.found.isMore),
        tags: active!.tags.slice(0, MCP_LIMITS.listed),
        segments: active!.segments.slice(0, MCP_LIMITS.listed).map(({ name }) => name),
      };
    },
  }),
  tool({
    name: 'get_sales',
    title: 'Get sales',
    description:
      'Sales, commission and payouts of a month (UTC, by default this one) in one currency, in minor units. Names no buyers.',
    scope: 'money:read',
    effect: 'read',
    input: z.strictObject({
      month: z
        .string()
        .regex(/^\d{4}-\d{2}$/)
        .optional(),
      currency: z.enum(CURRENCIES).optional().describe('By default the currency of the balance'),
    }),
    async run({ api }, { month, currency }) {
      const statement = await api.payouts.statement({ month, currency, page: 1, pageSize: 1 });
      return {
        month: statement.month,
        currency: statement.currency,
        opening_minor: statement.openingMinor,
        closing_minor: statement.closingMinor,
        by_kind: toPlain(statement.byKind),
        entries: statement.entries.total,
      };
    },
  }),
  tool({
    name: 'list_donations',
    title: 'List donations',
    description: 'The latest donations, with the names and messages that donors wrote.',
    scope: 'money:read',
    effect: 'read',
    input: z.strictObject({ page: z.int().min(1).max(1000).default(1) }),
    async run({ api, creatorId }, { page }) {
      const { items, total } = await api.donations.donors({ creatorId, page, pageSize: MCP_LIMITS.found });
      const donations = items.map(({ name, message, amountMinor, currency, since, isAnonymous }) => ({
        ...{ amount_minor: amountMinor, currency, donated_at: since },
        name: isAnonymous ? null : untrusted(name),
        message: message ? untrusted(message) : null,
      }));
      return { total, page, donations };
    },
  }),
];

/** What a person decides. These tools change nothing; their links open pages of the studio. */
export const LINK_TOOLS = [
  tool({
    name: 'request_publish',
    title: 'Ask a person to publish',
    description:
      'Returns the page of the studio on which a person publishes an episode, or edits it to schedule it. Publishes nothing.',
    scope: 'episodes:read',
    effect: 'link',
    input: z.strictObject({ episode_id: id('an episode') }),
    async run({ api, ctx }, { episode_id }) {
      const episode = await api.episodes.forEditing({ id: episode_id });
      return decidedThere(publishLink(ctx.urls, episode), `${episode.name}: ${episode.status}`);
    },
  }),
  tool({
    name: 'request_send',
    title: 'Ask a person to send an edition',
    description: 'Returns the page of the studio on which a person sends or schedules an edition. Sends nothing.',
    scope: 'editions:read',
    effect: 'link',
    input: z.strictObject({ edition_id: id('an edition') }),
    async run({ api, ctx }, { edition_id }) {
      const { title, status } = await api.editions.get({ id: edition_id });
      return decidedThere(editionLink(ctx.urls, edition_id), `${title}: ${status}`);
    },
  }),
  tool({
    name: 'request_refund',
    title: 'Ask a person to refund',
    description: 'Returns the page of the studio on which the owner refunds payments of a show. Refunds nothing.',
    scope: 'money:read',
    effect: 'link',
    input: z.strictObject({ show_id: id('a show') }),
    async run({ api, ctx }, { show_id }) {
      const show = await api.products.forEditing({ id: show_id });
      return decidedThere(buyersLink(ctx.urls, show), show.name);
    },
  }),
  tool({
    name: 'request_payout',
    title: 'Ask a person for a payout',
    description: 'Returns the page of the studio on which the owner requests a payout. Moves no money.',
    scope: 'money:read',
    effect: 'link',
    input: z.strictObject({}),
    async run({ api, ctx }) {
      const { balances } = await api.payouts.overview();
      return { ...decidedThere(moneyLink(ctx.urls), 'Payouts'), currencies: balances.map(({ currency }) => currency) };
    },
  }),
];

const decidedThere = (link: string, about: string) => ({ done: false, about, confirm_in_studio: link });
