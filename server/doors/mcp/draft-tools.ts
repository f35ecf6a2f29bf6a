import { z } from 'zod';
import { escapeHtml } from '../../base/html';
import { describeProblem } from '../../base/problems';
import type { updateDraft } from '../../domain/episodes/schema';
import { MCP_LIMITS } from '../../limits/apps';
import { editionLink, editLink } from './studio-links';
import { type ToolContext, tool } from './tool';

const id = (of: string) => z.int().positive().describe(`The id of ${of}`);

/** What people see already is changed in the studio only, so the answer says why and leads there. */
async function changeDraft({ api, ctx }: Pick<ToolContext, 'api' | 'ctx'>, change: z.input<typeof updateDraft>) {
  const studio_link = editLink(ctx.urls, await api.episodes.forEditing({ id: change.id as number }));
  try {
    await api.episodes.updateDraft(change);
    return { changed: true, studio_link };
  } catch (error) {
    const { code } = describeProblem(error);
    if (code !== 'episode.not_a_draft') throw error;
    return { changed: false, reason: ctx.translate(`errors:${code}`), studio_link };
  }
}

export const DRAFT_TOOLS = [
  tool({
    name: 'update_draft_notes',
    title: 'Write the notes of a draft',
    description:
      'Replaces the notes, and optionally the name, of an episode that is a draft or on hold. Published and scheduled episodes are not changed.',
    scope: 'episodes:write',
    effect: 'draft',
    input: z.strictObject({
      episode_id: id('an episode'),
      notes: z.string().min(1).max(MCP_LIMITS.notesLength).describe('Plain text, or simple HTML'),
      name: z.string().min(1).max(200).optional(),
    }),
    async run({ api, ctx }, { episode_id, notes, name }) {
      return changeDraft({ api, ctx }, { id: episode_id, description: notes, ...(name && { name }) });
    },
  }),
  tool({
    name: 'set_draft_chapters',
    title: 'Set the chapters of a draft',
    description:
      'Replaces all chapters of an episode that is a draft or on hold, without pictures. Published and scheduled episodes are not changed.',
    scope: 'episodes:write',
    effect: 'draft',
    input: z.strictObject({
      episode_id: id('an episode'),
      chapters: z
        .array(z.strictObject({ start_ms: z.int().min(0), title: z.string().min(1).max(200) }))
        .max(MCP_LIMITS.chapters),
    }),
    async run({ api, ctx }, { episode_id, chapters }) {
      const listed = chapters.map(({ start_ms, title }) => ({ startMs: start_ms, title }));
      const answer = await changeDraft({ api, ctx }, { id: episode_id, chapters: listed });
      return { ...answer, ...(answer.changed && { chapters: listed.length }) };
    },
  }),
  tool({
    name: 'list_editions',
    title: 'List newsletter editions',
    description: 'Lists the editions of the newsletter: scheduled ones, drafts, and those that were sent.',
    scope: 'editions:read',
    effect: 'read',
    input: z.strictObject({ page: z.int().min(1).max(1000).default(1) }),
    async run({ api }, { page }) {
      const { items, total } = await api.editions.list({ page });
      const editions = items.map(({ id, title, status, scheduledAt, startedAt, recipients }) => ({
        ...{ id, title, status, recipients },
        scheduled_at: scheduledAt,
        sent_at: startedAt,
      }));
      return { total, page, editions };
    },
  }),
  tool({
    name: 'create_draft_edition',
    title: 'Draft a newsletter edition',
    description: 'Creates a draft of an edition. Nobody gets it until a person sends it in the studio.',
    scope: 'editions:write',
    effect: 'draft',
    input: z.strictObject({
      title: z.string().min(1).max(150),
      paragraphs: z.array(z.string().min(1).max(5000)).min(1).max(50).describe('Plain text, one item per paragraph'),
    }),
    async run({ api, ctx }, { title, paragraphs }) {
      const { id } = await api.editions.create({});
      const { revision } = await api.editions.get({ id });
      const content = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
      await api.editions.update({ id, revision, title, content });
      return { edition_id: id, studio_link: editionLink(ctx.urls, id) };
    },
  }),
];
