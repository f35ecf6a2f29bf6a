import { beginErasing, eraseAccount } from '~/server/domain/accounts/personal-data/erasing';
import { eraseArchives } from '~/server/domain/archives/sweeping';
import { eraseContacts } from '~/server/domain/audience/erasing';
import { eraseGifts } from '~/server/domain/billing/gifts/endings';
import { erasePayments } from '~/server/domain/billing/payers/erasing';
import { endSubscriptionsOf } from '~/server/domain/billing/subscriptions/show-endings';
import { closeCreatorPage } from '~/server/domain/creators/closing';
import { eraseDonations } from '~/server/domain/donations/erasing';
import { eraseUnsoldEpisodes } from '~/server/domain/episodes/erasing';
import { eraseLinks } from '~/server/domain/feeds/private-links';
import { eraseObjects } from '~/server/domain/media/erasing';
import { eraseMoves } from '~/server/domain/moving/subscriber-imports/erasing';
import { erasePayouts } from '~/server/domain/payouts/erasing';
import { eraseUnsoldProducts } from '~/server/domain/products/erasing';
import { eraseImports } from '~/server/domain/rss-import/erasing';
import { eraseMessages } from '~/server/domain/support/contacting';
import { eraseReporter } from '~/server/domain/support/reporting';
import { leaveTeams } from '~/server/domain/team/activity';
import { deleteInvitationsOf } from '~/server/domain/team/inviting';
import type { Ctx } from '~/server/runtime/ctx';

type Step = (ctx: Ctx, person: { userId: number }) => Promise<void>;

/**
 * What each room removes when an account is deleted. The account itself comes last, so a job that was killed begins
 * again, and every step may be repeated. Rooms with subscriptions and money add theirs before the creator page: a
 * creator's paid subscribers are told and end with their period, and financial records lose the name.
 */
const STEPS: Step[] = [
  eraseLinks,
  leaveTeams,
  deleteInvitationsOf,
  eraseDonations,
  eraseGifts,
  erasePayments,
  erasePayouts,
  endSubscriptionsOf,
  eraseImports,
  eraseMoves,
  eraseArchives,
  closeCreatorPage,
  eraseUnsoldProducts,
  eraseUnsoldEpisodes,
  eraseObjects,
  eraseMessages,
  eraseReporter,
  eraseContacts,
  eraseAccount,
];

export async function deleteDueAccount(ctx: Ctx, person: { userId: number }): Promise<void> {
  if (!(await beginErasing(ctx, person))) return;
  for (const step of STEPS) await step(ctx, person);
}
