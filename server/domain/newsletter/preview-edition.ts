import type { EditionState } from '~/db/values/editions';
import { findProblems, type Problem } from '../../edition/find-problems';
import { renderEmail } from '../../edition/render-email';
import { withFallbacks } from '../../edition/render-web';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { shareOf, warmUpDay } from '../../sending-domains/warm-up';
import type { CreatorRow } from '../creators/queries';
import { type EditionRow, findEditionRow, findVersion } from './queries';
import { toRenderable } from './render-edition';
import type { PreviewEdition } from './schema';
import { senderAddress } from './sender';
import { addressOf, lookupUsedDomain } from './sending-domains';

/** What the checks have found, in the user's language. */
export type EditionProblem = { code: Problem['code']; severity: Problem['severity']; text: string };
export type EditionPreview = {
  title: string;
  status: EditionState;
  /** What an inbox shows: the subject without fields, and the sender's name and address. */
  subject: string;
  sender: string;
  from: string;
  /** From where the emails leave that exceed the day's share of the creator's own domain; null if none can. */
  restFrom: string | null;
  preheader: string;
  /** Of a step. */
  automationId: number | null;
  html: string;
  text: string;
  bytes: number;
  problems: EditionProblem[];
};

/**
 * An edition, or one of its versions, as a recipient of a part gets it who has told no name.
 * @throws newsletter.edition_not_found, newsletter.version_not_found
 */
export async function previewEdition(ctx: Ctx, { id, part, version }: PreviewEdition): Promise<EditionPreview> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const current = await findEditionRow(ctx, { creatorId, id });
  const row = version === undefined ? current : { ...current, ...(await findVersion(ctx, { id, version })) };
  const { edition, newsletter, creator } = await toRenderable(ctx, row, {
    counts: false,
    unsubscribe: '#',
    isEmail: true,
  });
  const { html, text, bytes } = renderEmail(edition, part);
  const shown = { html: withFallbacks(html), text: withFallbacks(text) };
  const problems = findProblems(edition).map((problem) => describeProblem(ctx, problem));
  const inbox = { sender: newsletter?.senderName ?? creator.name, preheader: withFallbacks(row.preheader) };
  const { title, status, automationId } = row;
  return {
    title,
    status,
    automationId,
    subject: withFallbacks(title),
    ...inbox,
    ...(await addressesOf(ctx, creator)),
    ...shown,
    bytes,
    problems,
  };
}

/** The own domain in use has a share a day while it is warmed up. */
async function addressesOf(ctx: Ctx, creator: CreatorRow): Promise<Pick<EditionPreview, 'from' | 'restFrom'>> {
  const platform = senderAddress(ctx, creator);
  const own = await lookupUsedDomain(ctx, creator.id);
  if (!own) return { from: platform, restFrom: null };
  const isWarm = own.warmUpStartedAt !== null && shareOf(warmUpDay(own.warmUpStartedAt, ctx.now())) === null;
  return { from: addressOf(own), restFrom: isWarm ? null : platform };
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
