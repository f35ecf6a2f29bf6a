import type { EmailContent } from './layout';

type Translate = (key: string, params?: Record<string, string | number>) => string;

/** The emails that contain one link, with the keys of their paragraphs (in mail.json). */
const PARAGRAPHS = {
  verify_email: ['why', 'code', 'lifetime'],
  reset_password: ['why', 'lifetime'],
  password_changed: ['why'],
  confirm_new_email: ['why', 'lifetime'],
  confirm_old_email: ['why', 'lifetime'],
  show_became_free: ['why', 'private'],
  confirm_feed_owner: ['why', 'public', 'lifetime'],
  confirm_import: ['why', 'what', 'lifetime'],
  import_done: ['why', 'counts'],
  import_partly_done: ['why', 'counts', 'reasons'],
  import_failed: ['why', 'reason'],
  join_newsletter: ['why', 'lifetime'],
  email_in_use: ['why'],
  new_device: ['why', 'device'],
  payout_changed: ['why'],
  payout_requested: ['why', 'next'],
  payout_paid: ['why', 'papers'],
  payout_returned: ['why', 'reason', 'next'],
  authenticator_added: ['why'],
  authenticator_removed: ['why'],
  passkey_added: ['why', 'passkey'],
  passkey_removed: ['why', 'passkey'],
  wrong_codes: ['why', 'risk'],
  identity_linked: ['why'],
  identity_unlinked: ['why'],
  deletion_scheduled: ['why', 'when', 'kept'],
  export_ready: ['why', 'lifetime'],
  archive_ready: ['why', 'lifetime'],
  team_invitation: ['why', 'lifetime', 'who'],
  team_role_changed: ['why'],
  team_removed: ['why'],
  account_deleted: ['why', 'kept'],
  account_suspended: ['why', 'reason', 'effects', 'answer'],
  account_restored: ['why'],
  publishing_stopped: ['why', 'reason', 'effects', 'answer'],
  publishing_allowed: ['why'],
  taken_down: ['why', 'ground', 'reason', 'effects', 'answer'],
  take_down_lifted: ['why'],
  report_received: ['why', 'next'],
  report_dismissed: ['why', 'answer', 'objection'],
  report_upheld: ['why', 'answer'],
  show_taken_down: ['why', 'date'],
  follow_show: ['why', 'what', 'lifetime'],
  new_episode: ['why'],
  late_release: ['why', 'when'],
  creator_leaves: ['why', 'date'],
  subscription_becomes_free: ['why', 'date'],
  subscription_refunded: ['why', 'amount'],
  subscription_ended_free: ['why', 'charged'],
  plan_credit_refunded: ['why'],
  refund_failed: ['why', 'how'],
  account_disconnected: ['why', 'how'],
  account_connected: ['why', 'how'],
  subscription_paused: ['why', 'until'],
  payment_failed: ['why', 'access'],
  payment_unconfirmed: ['why', 'access'],
  payment_reminder: ['why', 'access'],
  payment_still_unconfirmed: ['why', 'access'],
  access_ended: ['why', 'end'],
  access_ended_unconfirmed: ['why', 'end'],
  subscription_unpaid: ['why'],
  donation_failed: ['why', 'end'],
  donation_unconfirmed: ['why', 'end'],
  donation_unpaid: ['why'],
  free_access: ['why', 'how'],
  subscriber_welcome: ['why', 'price', 'how'],
  access_removed: ['why'],
  payment_refunded: ['why'],
  dispute_opened: ['why', 'answer'],
  dispute_won: ['why'],
  dispute_lost: ['why', 'access'],
  donation_thanks: ['why'],
  donation_thanks_monthly: ['why', 'stop'],
  donation_received: ['why'],
  bought_show: ['why', 'listen'],
  subscribed_show: ['why', 'listen', 'next'],
  started_trial: ['why', 'listen', 'next'],
  second_payment_refunded: ['why', 'refund'],
  ended_sale_refunded: ['why', 'refund'],
  trial_used_before: ['why'],
  second_plan_refunded: ['why', 'refund'],
  new_buyer: ['why'],
  new_listener: ['why'],
  gift_bought: ['why', 'lifetime'],
  gift_received: ['why', 'how', 'lifetime'],
  gift_received_unsigned: ['why', 'how', 'lifetime'],
  gift_ended: ['why'],
  gift_taken_back: ['why'],
  feed_shared: ['why', 'how'],
  feed_redirected: ['why', 'apps', 'lifetime'],
} as const;

export type AccountTopic = keyof typeof PARAGRAPHS;
export type AccountFacts = { name: string; url: string } & Record<string, string>;

/** The keys of all texts of these emails. */
export const accountEmailKeys = (): string[] =>
  Object.entries(PARAGRAPHS).flatMap(([topic, paragraphs]) =>
    ['subject', 'heading', ...paragraphs, 'action', 'footer'].map((part) => `${topic}.${part}`),
  );

/** An email about the user's account: the reason for the email, and one button. */
export function accountEmail(
  translate: Translate,
  topic: AccountTopic,
  facts: AccountFacts,
): { subject: string; content: EmailContent } {
  const text = (part: string) => translate(`mail:${topic}.${part}`, facts);
  return {
    subject: text('subject'),
    content: {
      heading: text('heading'),
      paragraphs: PARAGRAPHS[topic].map(text),
      button: { label: text('action'), url: facts.url },
      footer: text('footer'),
    },
  };
}
