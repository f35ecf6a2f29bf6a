import { getTableName, type SQL, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { AUDIENCE_TABLES } from './audience-tables';
import { CAMPAIGN_TABLES } from './campaign-tables';
import { CONTENT_TABLES } from './content-tables';
import { type ExportedTable, leftOutFor, OWNER, ownerOf, PEOPLE, seenGrants, TIMES, words } from './exported-table';
import { INSERTION_TABLES } from './insertion-tables';
import { NEWSLETTER_TABLES } from './newsletter-tables';

const PERSON = 'id email name language currency deleted_at';

/** In this order, rows refer only to earlier rows. */
export const EXPORTED_TABLES: ExportedTable[] = [
  {
    name: OWNER,
    table: users,
    where: (creatorId) => sql`t.id = ${ownerOf(creatorId)}`,
    columns: words(
      `${PERSON} signed_up_with terms_accepted_at country description time_zone birth_date parental_permission_at email_verified_at
      marketing_consented_at sign_up_source sign_up_reason page_shared_at ${TIMES}`,
    ),
    keys: ['avatar_key'],
    leftOut: {
      password_hash: 'secret: the owner sets a password with a link to their address',
      plan_banner_hidden_at: 'what the studio has shown once',
      suspended_at: 'what operators of this installation have decided',
      deletion_requested_at: 'an account that is being deleted is deleted here only',
      deletion_due_at: 'an account that is being deleted is deleted here only',
    },
  },
  {
    name: PEOPLE,
    table: users,
    where: peopleOf,
    columns: words(PERSON),
    shown: { name: shownName },
    leftOut: leftOutFor(
      'personal: a creator sees only the name and the address',
      words(
        `password_hash signed_up_with terms_accepted_at country description time_zone birth_date parental_permission_at avatar_key email_verified_at
        marketing_consented_at plan_banner_hidden_at sign_up_source sign_up_reason page_shared_at
        suspended_at deletion_requested_at deletion_due_at ${TIMES}`,
      ),
    ),
  },
  ...CONTENT_TABLES,
  ...INSERTION_TABLES,
  ...CAMPAIGN_TABLES,
  ...AUDIENCE_TABLES,
  ...NEWSLETTER_TABLES,
];

/** The accounts to which the rows of these tables refer. */
function mentions(creatorId: number, tables = EXPORTED_TABLES): SQL {
  const found = tables.flatMap(({ table, where, refs = {} }) =>
    Object.entries(refs)
      .filter(([, target]) => target === PEOPLE)
      .map(
        ([column]) =>
          sql`select t.${sql.identifier(column)} from ${sql.identifier(getTableName(table))} t where ${where(creatorId)}`,
      ),
  );
  return sql.join(found, sql` union `);
}

/** All other people to whom a row refers. */
function peopleOf(creatorId: number): SQL {
  return sql`t.id in (${mentions(creatorId)}) and t.id <> ${ownerOf(creatorId)}`;
}

/**
 * The name is hidden for people who were given access by their address: it would reveal that the address has an
 * account.
 */
export function shownName(creatorId: number): SQL {
  const others = EXPORTED_TABLES.filter(({ name }) => name !== 'grants' && name !== 'announcements');
  const came = sql`select t.user_id from grants t where ${seenGrants(creatorId)} and t.source <> 'gift'`;
  return sql`case when t.id in (${mentions(creatorId, others)} union ${came}) then t.name
    else split_part(t.email, '@', 1) end`;
}

const LOGIN = 'logging in: secrets of each installation';
const LISTENERS = 'of listeners, whose own archive has it';
const PRIVATE_FEEDS = 'addresses of private feeds are secrets; listeners get new ones';
const LEDGER = 'what an operator owes is not owed by another one; sales and refunds are there';
const CONNECTIONS = 'people connect apps with each installation';
const AFFILIATES = 'the programme of this installation, whose plans it is about';
const WEBHOOKS = 'addresses and secrets of programs that know the ids of this installation';
const WORK = 'work in progress of this installation';
const OTHERS = 'of other creators of this installation';
const FOUND_AGAIN = 'derived: the database writes it again';

/** Tables of the schema that backups do not contain, with the reason. */
export const LEFT_OUT_TABLES: Record<string, string> = {
  account_exports: WORK,
  audio_fetches: WORK,
  archive_entries: WORK,
  archive_import_ids: WORK,
  archive_imports: WORK,
  creator_archives: WORK,
  episode_batches: 'can be undone for a day',
  contact_batches: 'can be undone for a day',
  contact_batch_rows: 'can be undone for a day',
  contact_former_addresses: 'digests for the erasure of what this installation keeps',
  contact_imports: 'the contacts that it brought are there',
  contact_import_rows: WORK,
  contact_import_problems: 'the contacts that it brought are there',
  recommendations: OTHERS,
  recommendation_blocks: OTHERS,
  recommendation_days: OTHERS,
  clip_versions: FOUND_AGAIN,
  renditions: FOUND_AGAIN,
  served_renditions: FOUND_AGAIN,
  served_shows: FOUND_AGAIN,
  rendition_downloads: WORK,
  old_feeds: 'two installations would import the same episodes',
  old_feed_addresses: PRIVATE_FEEDS,
  status_checks: 'of this installation',
  incidents: 'what operators of this installation tell',
  incident_updates: 'what operators of this installation tell',
  studio_notices: 'what operators of this installation tell',
  studio_notice_dismissals: 'of notices of this installation',
  sponsor_links: 'links are secrets of this installation',
  sending_domains: 'its keys are secrets of this installation, whose names the records have',
  former_sending_domains: 'of the domains of this installation',
  sending_domain_days: 'of the domains of this installation',
  month_reports: 'emails of this installation that were sent',
  featured_shows: 'what operators of this installation have decided',
  switches: 'what operators of this installation have decided',
  content_words: 'of the texts of the site',
  subscriber_imports: 'the subscriptions that it brought are there',
  subscriber_import_lines: 'the subscriptions that it brought are there',
  subscriber_moves: WORK,
  subscriber_move_lines: WORK,
  copied_customers: 'of the account at the payment provider of this installation',
  rss_imports: 'the shows have what they brought; links and codes are secrets',
  rss_import_pictures: 'the shows have what they brought; links and codes are secrets',
  feed_previews: 'what visitors without an account have looked at for a day',
  rss_import_items: 'the shows have what they brought; links and codes are secrets',
  transcription_runs: 'minutes of the plan on this installation; the transcripts are there',
  transcription_pieces: WORK,
  text_timings: WORK,
  suggestion_runs: 'drafts of a language model; what was taken over is there',
  api_keys: 'secrets of this installation',
  api_calls: 'of the last days on this installation',
  idempotent_calls: 'of the last day on this installation',
  uploads: WORK,
  invitations: 'links are secrets; whoever has not accepted is invited again',
  sessions: LOGIN,
  email_tokens: LOGIN,
  email_codes: LOGIN,
  kept_releases: 'they wait for the verification of an account of this installation',
  email_changes: LOGIN,
  identities: LOGIN,
  authenticators: LOGIN,
  recovery_codes: LOGIN,
  passkeys: LOGIN,
  login_challenges: LOGIN,
  notification_opt_outs: 'choices of an account about emails of its installation',
  payment_cards: 'card data',
  plan_periods: 'of sales that this installation records',
  payment_events: 'messages of the payment provider to this installation',
  payment_warnings: 'messages of the payment provider to this installation',
  vat_number_checks: 'answers of the register to this operator',
  receipt_counters: 'each installation counts its own receipts',
  credit_note_counters: 'each installation counts its own credit notes',
  operators: 'of this installation',
  oauth_clients: CONNECTIONS,
  oauth_grants: CONNECTIONS,
  oauth_codes: CONNECTIONS,
  oauth_tokens: CONNECTIONS,
  affiliates: AFFILIATES,
  affiliate_links: AFFILIATES,
  affiliate_visits: AFFILIATES,
  affiliate_days: AFFILIATES,
  referrals: AFFILIATES,
  affiliate_shares: LEDGER,
  provider_entries: LEDGER,
  reconciliation_differences: LEDGER,
  reconciliations: LEDGER,
  ledger_entries: LEDGER,
  ledger_lines: LEDGER,
  payable_sums: LEDGER,
  holders: FOUND_AGAIN,
  holder_counts: FOUND_AGAIN,
  grant_counts: FOUND_AGAIN,
  buyer_notes: 'about people, who have other accounts elsewhere',
  buyer_messages: 'to people, who have other accounts elsewhere',
  message_opt_outs: 'of people, who have other accounts elsewhere',
  buyer_states: FOUND_AGAIN,
  buyer_state_counts: FOUND_AGAIN,
  sale_days: FOUND_AGAIN,
  subscription_sums: FOUND_AGAIN,
  subscription_days: FOUND_AGAIN,
  unused_payments: WORK,
  spotify_links: 'people link their account at Spotify with each installation',
  spotify_shows: 'addresses of feeds for Spotify are secrets of this installation',
  spotify_outages: 'whether Spotify answers this installation',
  seller_accounts: 'the creator connects the account with each installation',
  payouts: LEDGER,
  payout_papers: LEDGER,
  operator_actions: 'what operators of this installation did',
  feed_links: PRIVATE_FEEDS,
  feed_fetches: PRIVATE_FEEDS,
  shared_feeds: PRIVATE_FEEDS,
  feed_pings: 'what the hub knows of this installation',
  listens: 'single events are deleted after a while; their sums by day are there',
  downloads: 'single events are deleted after a while; their sums by day are there',
  heard_minutes: 'single events are deleted after a while; their sums by month are there',
  listening_months: 'summed up again from the days',
  play_outbox: 'single events on their way to the store of this installation',
  daily_salts: 'secret, and deleted after a day',
  daily_listeners: 'deleted after a day',
  statistics_recounts: WORK,
  log_imports: 'of this installation',
  log_keys: 'secret, and deleted after a day',
  legacy_plays: 'deleted after a day',
  episode_positions: LISTENERS,
  outbox: 'sent emails',
  deleted_contacts: 'for answers to sent emails, which only this installation can read',
  merged_contacts: 'for links in sent emails, which only this installation can read',
  automation_enrolments: 'who is in an automation of this installation',
  automation_emails: 'what this installation has sent',
  edition_recipients: 'sent emails; how many there were is there',
  newsletter_recommendations: OTHERS,
  edition_sums: FOUND_AGAIN,
  mail_report_tokens: 'of reports to this installation',
  dmarc_reports: 'about the emails of this installation',
  edition_versions: 'what editions were before',
  contact_messages: 'messages to the operator',
  abuse_reports: 'messages to the operator',
  milestones: 'of this installation',
  product_search: FOUND_AGAIN,
  episode_search: FOUND_AGAIN,
  new_search_names: FOUND_AGAIN,
  search_words: FOUND_AGAIN,
  webhook_endpoints: WEBHOOKS,
  webhook_events: WEBHOOKS,
  webhook_deliveries: WEBHOOKS,
  webhook_attempts: WEBHOOKS,
  webhook_milestones: WEBHOOKS,
  transcript_search: FOUND_AGAIN,
  unsearched_transcripts: FOUND_AGAIN,
};
