import type { EditionState } from '~/db/values/editions';
import { findProblems, type Problem } from '../../edition/find-problems';
import { renderEmail } from '../../edition/render-email';
import { withFallbacks } from '../../edition/render-web';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { type EditionRow, findEditionRow } from './queries';
import { toRenderable } from './render-edition';
import type { PreviewEdition } from './schema';

/** What the checks have found, in the user's language. */
export type EditionProblem = { code: Problem['code']; severity: Problem['severity']; text: string };
export type EditionPreview = {
  title: string;
  status: EditionState;
  html: string;
  text: string;
  bytes: number;
  problems: EditionProblem[];
};

/** An edition as a recipient of a part gets it who has told no name. @throws newsletter.edition_not_found */
export async function previewEdition(ctx: Ctx, { id, part }: PreviewEdition): Promise<EditionPreview> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const row = await findEditionRow(ctx, { creatorId, id });
  const { edition } = await toRenderable(ctx, row, { counts: false, unsubscribe: '#' });
  const { html, text, bytes } = renderEmail(edition, part);
  const shown = { html: withFallbacks(html), text: withFallbacks(text) };
  const problems = findProblems(edition).map((problem) => describeProblem(ctx, problem));
  return { title: row.title, status: row.status, ...shown, bytes, problems };
}

const describeProblem = (ctx: Ctx, { code, severity, of = '' }: Problem): EditionProblem => ({
  ...{ code, severity },
  text: ctx.translate(`content:edition.${code}`, { of, tag: '{{name|friend}}' }),
});

/**
 * What keeps an edition from being sent, in one sentence; null if nothing does. Warnings do not.
 */
export async function whyNotReady(ctx: Ctx, row: EditionRow): Promise<string | null> {
  const { edition } = await toRenderable(ctx, row, { counts: false, unsubscribe: '#' });
  const [first] = findProblems(edition).filter(({ severity }) => severity === 'error');
  return first ? describeProblem(ctx, first).text : null;
}
