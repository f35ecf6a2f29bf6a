import { AppError } from '../../base/errors';
import { addressesOf } from '../../edition/find-problems';
import { readBlocks } from '../../edition/read-blocks';
import { createSlots } from '../../flow/slots';
import { LINK_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findEditionRow } from './queries';
import { judgeFetch, judgeStatus, type LinkFault } from './rules';
import type { FindEdition } from './schema';

/** `text`: what is wrong, in the user's language. */
export type FaultyLink = { address: string; fault: LinkFault; text: string };
/** `working`: links that lead to a page. `left`: links that were not checked, because there are too many. */
export type CheckedLinks = { faulty: FaultyLink[]; working: number; left: number };

/**
 * Requests the pages to which an edition links, except our own. Redirects are fine. Nothing is kept, and nothing keeps the
 * edition from being sent: a page may be published later, and some sites answer no program.
 * @throws newsletter.edition_not_found, common.role_not_allowed
 */
export async function checkLinks(ctx: Ctx, { id }: FindEdition): Promise<CheckedLinks> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const { content } = await findEditionRow(ctx, { creatorId, id });
  const all = addressesOf(readBlocks(content)).filter((address) => !ctx.urls.isOwn(address));
  const checked = all.slice(0, LINK_LIMITS.links);
  const signal = AbortSignal.timeout(LINK_LIMITS.whole);
  const withSlot = createSlots(LINK_LIMITS.atOnce);
  const faults = await Promise.all(checked.map((url) => withSlot(() => findFault(ctx, url, signal))));
  const faulty = checked.flatMap((address, i) => {
    const fault = faults[i];
    return fault ? [{ address, fault, text: ctx.translate(`content:link.${fault}`) }] : [];
  });
  return { faulty, working: checked.length - faulty.length, left: all.length - checked.length };
}

async function findFault({ ports, log }: Ctx, url: string, signal: AbortSignal): Promise<LinkFault | null> {
  if (signal.aborted) return 'unchecked';
  try {
    return judgeStatus(await ports.fetcher.probe({ url, answerMs: LINK_LIMITS.answer, signal }));
  } catch (err) {
    if (signal.aborted) return 'unchecked';
    if (err instanceof AppError) return judgeFetch(err.code);
    log.error({ err }, 'a link could not be checked');
    return 'unchecked';
  }
}
