import { z } from 'zod';
import { LANGUAGES } from '~/locales/languages';
import { EDITING_LIMITS } from '../limits/newsletter';
import { HEAVY, job, LONG, PATIENT, QUICK, SCHEDULED } from './job';

// Every job: its name, payload and retry policy. Imports no handlers (jobs/handlers), so enqueuing does not load the work.

const id = z.number().int().positive();
const count = z.number().int().nonnegative().optional();

/**
 * Makes one attempt to send an email from the outbox. The job enqueues the next attempt itself: the queue would double
 * its pauses up to a day. Without `attempt`, a former version has enqueued it.
 */
export const deliverEmail = job('notifications.deliver', { emailId: z.uuid(), attempt: count }, QUICK);
/**
 * Sends the emails of the outbox that the sender of newsletters sends (newsletter/deliver-bulk-emails.ts). Also runs each
 * minute, for emails that are tried again.
 */
export const deliverBulkEmails = job('newsletter.deliver-bulk-emails', {}, { ...LONG, workers: 2 });
/** Sends the link to set a new password, if the address has an account. */
export const sendPasswordReset = job('accounts.send-password-reset', { email: z.string().max(254) }, QUICK);
/** Sends the link by which an address follows a free show. */
export const sendFollowLink = job(
  'feeds.send-follow-link',
  { email: z.string().max(254), productId: id, language: z.enum(LANGUAGES) },
  QUICK,
);
/** Tells the WebSub hub that a show's public feed has changed (feeds/hub-pings.ts). */
export const pingHub = job('feeds.ping-hub', { productId: id }, { ...PATIENT, retries: 5 });
/** Finds private feeds that many people share (shared-feeds.ts), and emails the listener or replaces the address. */
export const findShared = job('feeds.find-shared', {}, SCHEDULED);
export const dealWithSharing = job('feeds.deal-with-sharing', { linkId: id }, QUICK);
/** Sends the link by which an address joins a creator's newsletter. */
export const sendJoinLink = job(
  'audience.send-join-link',
  { creatorId: id, email: z.string().max(254), language: z.enum(LANGUAGES), isTracked: z.boolean().optional() },
  QUICK,
);
/** Welcomes a contact who has confirmed the newsletter form (newsletter/send-welcome.ts). */
export const sendWelcome = job('newsletter.send-welcome', { contactId: id }, QUICK);
/** Starts a scheduled edition; does nothing if it was rescheduled. */
export const startEdition = job('newsletter.start-edition', { editionId: id }, QUICK);
/** Sends the emails of an edition that wait (newsletter/deliver-edition.ts), and enqueues itself for those that wait longer. */
export const deliverEdition = job('newsletter.deliver-edition', { editionId: id }, { ...LONG, retries: 5, workers: 2 });
/** Enqueues the two above for editions that a lost job has left. */
export const recoverEditions = job('newsletter.recover-editions', {}, SCHEDULED);
/** Reads the mailbox in which bounces arrive (newsletter/read-mailbox.ts). */
export const readMailbox = job('newsletter.read-mailbox', {}, { ...SCHEDULED, expires: 600 });
/** Deletes what reports about emails no longer need (newsletter/record-mail-events.ts). */
export const sweepReports = job('newsletter.sweep-reports', {}, SCHEDULED);
/**
 * Enrols a contact in the automations that an event starts (newsletter/enrol-contact.ts): a contact who has signed up, or
 * a user who has bought a show or cancelled its subscription. `at`: when that was.
 */
export const enrolContact = job(
  'newsletter.enrol-contact',
  {
    trigger: z.enum(['sign_up', 'purchase', 'cancellation']),
    contactId: id.optional(),
    userId: id.optional(),
    productId: id.optional(),
    at: z.iso.datetime(),
  },
  QUICK,
);
/** Sends the emails of a step that are due (newsletter/deliver-step.ts). */
export const deliverStep = job('newsletter.deliver-step', { editionId: id }, { ...LONG, retries: 5, workers: 2 });
/** Enqueues the one above for steps with due emails, those with ids above `after` first (newsletter/send-due-steps.ts). */
export const sendDueSteps = job('newsletter.send-due-steps', { after: count }, SCHEDULED);
/** Gives further people who wait for a step its new time (newsletter/move-waiting.ts). */
export const moveWaiting = job('newsletter.move-waiting', { editionId: id }, QUICK);
/** Deletes pictures that nothing of a creator contains any more (newsletter/release-pictures.ts). */
export const releasePictures = job(
  'newsletter.release-pictures',
  { creatorId: id, keys: z.array(z.string()).max(EDITING_LIMITS.released) },
  LONG,
);
/** Looks the DNS records of one sending domain up (newsletter/check-sending-domain.ts). */
export const checkDomain = job('newsletter.check-domain', { domainId: id }, QUICK);
/** Enqueues it for the domains that were not checked for a day. */
export const checkDomains = job('newsletter.check-domains', {}, SCHEDULED);
const grantSource = z.enum(['follow', 'purchase', 'subscription']);
/** Adds a listener to the contacts of the show's creator (audience/keep-contact.ts). */
export const keepListener = job(
  'audience.keep-listener',
  // `at`: when they came; a former version has enqueued it without
  { userId: id, productId: id, source: grantSource, at: z.iso.datetime().optional() },
  QUICK,
);
/** Enqueues `keepListener` for the shows that a user follows, after their address was verified. */
export const keepFollower = job('audience.keep-follower', { userId: id }, QUICK);
/** Gives the contacts of a user their new address (audience/move-contacts.ts). */
export const moveContacts = job('audience.move-contacts', { userId: id }, QUICK);
/** Stops a creator's messages to a person who wants no emails of this creator (billing/buyers/stop-messages.ts). */
export const stopMessages = job('billing.stop-messages', { creatorId: id, userId: id }, QUICK);
/** Sends the links that confirm a change of address. */
export const sendEmailChange = job('accounts.send-email-change', { userId: id }, QUICK);
/**
 * Deletes an account that is due, room by room (jobs/handlers/deletion.ts). It restarts after a crash; an account whose
 * owner has undone the deletion stays.
 */
export const deleteAccount = job('accounts.delete', { userId: id }, LONG);
/** Writes all personal data of a user into a zip, and emails the link. */
export const buildExport = job('accounts.build-export', { exportId: z.uuid() }, LONG);
/** Checks an episode's uploaded file and sets its status (audio-check.ts, which calls probe-audio.ts). */
export const checkAudio = job('episodes.check-audio', { episodeId: id }, HEAVY);
/** Checks a file that FFmpeg must convert first, which takes minutes. */
export const convertAudio = job('episodes.convert-audio', { episodeId: id }, LONG);
/** Measures loudness and waveform of a checked file. Separate, because publishing does not wait for it. */
export const measureLoudness = job('episodes.measure-loudness', { episodeId: id }, LONG);
/** Enqueues `measureLoudness` for audio without a waveform. */
export const measureMissing = job('episodes.measure-missing', {}, SCHEDULED);
/** Converts the picture of a chapter, which takes too long for a request. */
export const storeChapterImage = job(
  'episodes.store-chapter-image',
  { episodeId: id, uploadKey: z.string(), imageKey: z.string() },
  HEAVY,
);
/** Writes an episode's edited chapters into the head of its file. */
export const writeHead = job('episodes.write-head', { episodeId: id }, HEAVY);
/** Publishes a scheduled episode; does nothing if it was rescheduled. */
export const goLive = job('episodes.go-live', { episodeId: id }, QUICK);
/** Publishes the episodes whose release has waited for the user's verified address (episodes/kept-releases.ts). */
export const releaseKept = job('episodes.release-kept', { userId: id }, QUICK);
/** Makes an episode public that was in early access (episodes/early-access.ts). */
export const openEpisode = job('episodes.open', { episodeId: id }, QUICK);
/**
 * Emails a published episode to its subscribers, those with ids above `after` first. Each run queues some of them and
 * enqueues the next run. `until`: later subscribers get no email about an episode that returns.
 */
export const announceEpisode = job(
  'episodes.announce',
  { episodeId: id, until: z.iso.datetime(), after: z.number().int().nonnegative() },
  QUICK,
);
/** Enqueues checks and releases whose jobs ran out of attempts again. */
export const recoverEpisodes = job('episodes.recover', {}, SCHEDULED);
/** Permanently deletes episodes whose deletion can no longer be undone. */
export const purgeDeleted = job('episodes.purge-deleted', {}, SCHEDULED);
const objectKeys = z.array(z.string()).max(100);
/** Deletes objects, and the objects in the folders, except those that a row refers to. */
export const removeObjects = job('media.remove-objects', { keys: objectKeys, folders: objectKeys.optional() }, QUICK);
/** Makes a show free once its last subscription has ended (access/free-conversion.ts). */
export const completeConversion = job('products.complete-conversion', { productId: id }, QUICK);

/** Stores the object of an event from the payment provider (billing/provider-sync/events.ts). */
export const handlePaymentEvent = job('billing.handle-event', { eventId: z.string().max(255) }, PATIENT);
/** Emails the buyer and the creator about a settled checkout. */
export const reportCheckout = job('billing.report-checkout', { checkoutId: z.uuid() }, QUICK);
/** Checks the payment page of a checkout that should have closed. */
export const syncOpenCheckout = job('billing.sync-open-checkout', { checkoutId: z.uuid() }, PATIENT);
/** Handles unfinished events again, and checks pages whose events were lost. */
export const recoverBilling = job('billing.recover', {}, SCHEDULED);
/** Closes a deleted account's payment page, and deletes its customer at the provider (erase-payments.ts). */
export const closeErasedCheckout = job('billing.close-erased-checkout', { checkoutId: z.uuid() }, PATIENT);
export const deleteCustomer = job('billing.delete-customer', { customer: z.string().max(255) }, PATIENT);
/** Fetches events of the payment provider that did not arrive. */
export const catchUpPayments = job(
  'billing.catch-up',
  { account: z.string().max(255).optional() },
  { ...SCHEDULED, expires: 600 },
);
/** Checks a VAT number in the register (vat/check-tax-number.ts), and repeats checks that failed. */
export const checkVatNumber = job(
  'vat.check-number',
  { country: z.string().length(2), taxNumber: z.string().max(40) },
  PATIENT,
);
export const recheckVatNumbers = job('vat.recheck-numbers', {}, SCHEDULED);
/** Ends all sales on an account that a creator disconnects, and then releases it (disconnect-account.ts). */
export const leaveAccount = job('billing.leave-account', { sellerAccountId: id }, PATIENT);
/** Ends a subscription here whose account is no longer connected, or resumes it (lost-accounts.ts). */
export const reviewSubscription = job('billing.review-subscription', { subscriptionId: id }, PATIENT);
export const restoreAccount = job('billing.restore-account', { account: z.string().max(255) }, PATIENT);
/** Sets our fee for subscriptions on accounts of creators that renew soon (billing/subscriptions/platform-fees.ts). */
export const setPlatformFees = job('billing.set-platform-fees', {}, SCHEDULED);
export const setPlatformFee = job('billing.set-platform-fee', { subscriptionId: id }, PATIENT);
/** Ends a subscription for one of our reasons, or undoes that end (billing/subscriptions/end-subscriptions.ts). */
const endReason = z.enum([
  ...(['subscriber', 'creator', 'card_removed', 'unpaid', 'show_becomes_free', 'refunded', 'duplicate'] as const),
  ...(['disputed', 'account_deleted', 'account_disconnected', 'account_suspended', 'taken_down'] as const),
]);
const ended = { subscriptionId: id, reason: endReason };
export const endSubscription = job(
  'billing.end-subscription',
  { ...ended, when: z.enum(['at_period_end', 'now']) },
  PATIENT,
);
export const resumeSubscription = job('billing.resume-subscription', ended, PATIENT);
/** Charges subscriptions to another card if they lost theirs, or to a newly stored one (charge-card.ts). */
export const applyCard = job('billing.apply-card', { customer: z.string().max(255) }, PATIENT);
/** Ends a subscription now and refunds its unused part, with about a dozen calls (ending-refunds.ts). */
export const refundEnd = job('billing.refund-end', { subscriptionId: id }, { ...PATIENT, workers: 4 });
/** Computes what refunding all subscriptions to a show would cost (billing/refunds/unused-payments.ts). */
export const computeUnused = job('billing.compute-unused', { productId: id }, QUICK);
/** Returns a refused payment again, because its refund has failed (billing/refunds/return-refused.ts). */
export const returnRefused = job(
  'billing.return-refused',
  { checkoutId: z.uuid(), payment: z.string().max(255), attempt: id },
  PATIENT,
);
/** Returns the credit that is left when a creator's plan ends (billing/plan-billing/refund-credit.ts). */
export const refundPlanCredit = job('billing.refund-plan-credit', { subscriptionId: id }, PATIENT);
/**
 * Runs after a show became free, stayed paid or was deleted (show-endings.ts). Each run marks some of the
 * subscriptions, those with ids above `after` first, and enqueues the next run.
 */
export const syncShowSubscriptions = job('billing.sync-show-subscriptions', { productId: id, after: count }, PATIENT);
/** Emails a reminder of a failed renewal, or ends its subscription (billing/payers/overdue.ts). */
export const remindOverdue = job('billing.remind-overdue', { subscriptionId: id }, PATIENT);
export const remindAllOverdue = job('billing.remind-all-overdue', {}, SCHEDULED);
/** Emails recipients whose gift has ended that they can subscribe. */
export const reportEndedGifts = job('billing.report-ended-gifts', {}, SCHEDULED);
const storedCard = { checkoutId: z.uuid(), card: z.string().max(255).optional() };
export const chargeStoredCard = job('billing.charge-stored-card', storedCard, PATIENT);
/** After an address was verified, or a card saved by a guest (billing/payers/claim-cards.ts). */
export const claimSavedCards = job('billing.claim-saved-cards', { userId: id }, PATIENT);
/** Records a settled donation, and thanks the donor; for later payments, it only refreshes the pages that show them. */
export const recordDonation = job('donations.record', { checkoutId: z.uuid() }, QUICK);

/** One step of a creator's backup (creator-backup/build-backup.ts), which enqueues the next one. */
export const buildCreatorBackup = job(
  'archives.build',
  { archiveId: z.uuid(), step: z.number().int().nonnegative() },
  { ...LONG, retryDelay: 5 },
);
/** Continues backups whose job was lost, and deletes expired ones. */
export const sweepCreatorBackups = job('archives.sweep', {}, SCHEDULED);

/** One step of the import of a feed (rss-import/import-feed.ts), which enqueues the next one. */
export const runImport = job(
  'rss-import.run',
  { importId: id, step: z.number().int().nonnegative() },
  {
    ...LONG,
    retryDelay: 5,
    workers: 4,
  },
);
/** One step of an import of subscribers (moving/subscriber-imports/run-import.ts), which enqueues the next one. */
export const importSubscribers = job(
  'moving.import-subscribers',
  { importId: id, step: z.number().int().nonnegative() },
  { ...LONG, retryDelay: 5, workers: 2 },
);
/** One step of moving subscribers to a creator's own account (move-subscriptions.ts); enqueues the next one. */
export const moveSubscribers = job(
  'moving.move-subscribers',
  { moveId: id, step: z.number().int().nonnegative() },
  { ...LONG, retryDelay: 5, workers: 2 },
);
/** Continues imports of subscribers whose job was lost, and deletes old lists. */
export const recoverMoves = job('moving.recover', {}, SCHEDULED);
/** Fetches an imported show's feed from its former host (poll-old-feed.ts), and enqueues the next poll. */
export const pollOldFeed = job(
  'rss-import.poll',
  { productId: id, step: z.number().int().nonnegative() },
  { ...HEAVY, expires: 900, workers: 4 },
);
/** Ends unconfirmed imports, and continues imports whose job was lost. */
export const recoverImports = job('rss-import.recover', {}, SCHEDULED);

/** Learns the words of new names, by which Discover corrects mistyped words. */
export const learnSearchWords = job('products.learn-words', {}, SCHEDULED);
/** Counts the plays by which Discover sorts. */
export const refreshPopular = job('products.refresh-popularity', {}, SCHEDULED);

/** Scheduled in jobs/schedules.ts. */
export const recoverConversions = job('products.recover-conversions', {}, SCHEDULED);
/** Deletes old imports of feeds. */
export const sweepImports = job('rss-import.sweep', {}, SCHEDULED);
export const sweepUploads = job('media.sweep-uploads', {}, SCHEDULED);
export const recoverDeletions = job('accounts.recover-deletions', {}, SCHEDULED);
export const sweepExports = job('accounts.sweep-exports', {}, SCHEDULED);
export const sweepSessions = job('accounts.sweep-sessions', {}, SCHEDULED);
export const sweepOutbox = job('notifications.sweep-outbox', {}, SCHEDULED);
/** Imports a file of contacts (audience/run-contact-import.ts). */
export const importContacts = job('audience.import-contacts', { importId: id }, LONG);
export const sweepContacts = job('audience.sweep-contacts', {}, SCHEDULED);
/** Deletes old entries of activity logs, and invitations that were not accepted. */
export const sweepTeams = job('team.sweep', {}, SCHEDULED);
/** Compares the ledger with the payment provider's books (billing/books/reconcile-books.ts). */
export const reconcileBooks = job('billing.reconcile', {}, { ...SCHEDULED, expires: 3600 });
/** Deletes old events of the payment provider, and unpaid checkouts. */
export const sweepPayments = job('billing.sweep', {}, SCHEDULED);
export const sweepMessages = job('support.sweep-messages', {}, SCHEDULED);
/** Enqueues the monthly reports of creators with ids above `after` (statistics/send-reports.ts), and the next such job. */
export const sendMonthReports = job('statistics.send-reports', { after: count }, SCHEDULED);
export const sendMonthReport = job(
  'statistics.send-report',
  { creatorId: id, month: z.string().regex(/^\d{4}-\d{2}$/) },
  PATIENT,
);
export const prepareListening = job('listening.prepare', {}, SCHEDULED);
/** Sums up plays that months and starts lack (listening/catch-up-sums.ts), of shows with ids above `after`. */
export const catchUpSums = job('listening.catch-up-sums', { after: count }, { ...SCHEDULED, expires: 900 });
/** Sends counted plays to ClickHouse, if `STATISTICS_URL` names one. */
export const shipStatistics = job('listening.ship-statistics', {}, SCHEDULED);
