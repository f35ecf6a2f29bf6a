import { beginErasing, eraseAccount } from '~/server/domain/accounts/personal-data/erase-account';
import { eraseAffiliate } from '~/server/domain/affiliates/erase-affiliate';
import { eraseConnections } from '~/server/domain/apps/sweep-apps';
import { eraseContacts } from '~/server/domain/audience/erase-contacts';
import { eraseBuyerMessages } from '~/server/domain/billing/buyers/message-buyer';
import { eraseBuyerNotes } from '~/server/domain/billing/buyers/note-buyer';
import { eraseGifts } from '~/server/domain/billing/gifts/endings';
import { erasePayments } from '~/server/domain/billing/payers/erase-payments';
import { endSubscriptionsOf } from '~/server/domain/billing/subscriptions/show-endings';
import { eraseCreatorBackups } from '~/server/domain/creator-backup/sweep-backups';
import { closeCreatorPage } from '~/server/domain/creators/close-page';
import { eraseKeys } from '~/server/domain/developers/erase-keys';
import { eraseDonations } from '~/server/domain/donations/erase-donations';
import { eraseUnsoldEpisodes } from '~/server/domain/episodes/erase-episodes';
import { eraseGlossaries } from '~/server/domain/episodes/glossary';
import { eraseLinks } from '~/server/domain/feeds/private-links';
import { eraseInsertions } from '~/server/domain/insertions/erase-insertions';
import { eraseObjects } from '~/server/domain/media/erase-objects';
import { eraseMoves } from '~/server/domain/moving/subscriber-imports/erase-moves';
import { eraseNewsletter } from '~/server/domain/newsletter/erase-newsletter';
import { erasePayouts } from '~/server/domain/payouts/erase-payouts';
import { eraseUnsoldProducts } from '~/server/domain/products/erase-products';
import { eraseRecommendations } from '~/server/domain/recommendations/erase-recommendations';
import { eraseImports } from '~/server/domain/rss-import/erase-imports';
import { eraseLink } from '~/server/domain/spotify/unlink-account';
import { eraseSuggestions } from '~/server/domain/suggestions/erase-suggestions';
import { eraseMessages } from '~/server/domain/support/contact-support';
import { eraseReporter } from '~/server/domain/support/report-abuse';
import { leaveTeams } from '~/server/domain/team/activity';
import { deleteInvitationsOf } from '~/server/domain/team/invite-member';
import { eraseTranscriptions } from '~/server/domain/transcription/erase-transcriptions';
import { eraseWebhooks } from '~/server/domain/webhooks/erase-webhooks';
import type { Ctx } from '~/server/runtime/ctx';

type Step = (ctx: Ctx, person: { userId: number }) => Promise<void>;

/**
 * The data that each room removes when an account is deleted. The account itself comes last, so a killed job starts
 * again, and every step must be repeatable. Rooms with subscriptions and money come before the creator page: a
 * creator's paid subscribers get an email and end with their period, and financial records lose the name.
 */
const STEPS: Step[] = [
  eraseLinks,
  eraseLink,
  eraseKeys,
  eraseConnections,
  leaveTeams,
  deleteInvitationsOf,
  eraseDonations,
  eraseGifts,
  erasePayments,
  erasePayouts,
  eraseAffiliate,
  eraseWebhooks,
  endSubscriptionsOf,
  eraseImports,
  eraseMoves,
  eraseCreatorBackups,
  eraseInsertions,
  eraseTranscriptions,
  eraseSuggestions,
  eraseGlossaries,
  closeCreatorPage,
  eraseRecommendations,
  eraseUnsoldProducts,
  eraseUnsoldEpisodes,
  eraseObjects,
  eraseMessages,
  eraseReporter,
  eraseNewsletter,
  eraseContacts,
  eraseBuyerNotes,
  eraseBuyerMessages,
  eraseAccount,
];

export async function deleteDueAccount(ctx: Ctx, person: { userId: number }): Promise<void> {
  if (!(await beginErasing(ctx, person))) return;
  for (const step of STEPS) await step(ctx, person);
}
