const AUDIO_OF_MEDIA = [
  'audio-formats',
  'checked-audio',
  'convert-audio',
  'measure-audio',
  'probe-audio',
  'new-files',
  'promo-files',
  'served-heads',
];

/**
 * The rooms in their order: a room may import only the rooms above it (docs/decisions/0002). Each lists its capability
 * files: a new file name is a decision (docs/decisions/0078).
 */
export const ROOMS: Record<string, string[]> = {
  notifications: [
    'address-links',
    'address-tags',
    'bulk-outbox',
    'deliver-email',
    'outbox',
    'signed-tokens',
    'stop-by-email',
    'unsubscribe',
    'templates/account-email',
    'templates/layout',
  ],
  reference: ['announcements', 'configurations', 'directories', 'switches', 'time-zones'],
  content: ['blog', 'help', 'host-guides', 'legal-texts', 'list-texts', 'search-texts', 'site-texts'],
  vat: 'places vat-of-sale check-tax-number evidence vat-return registration-rules registrations reverse-charges seller tax-numbers'.split(
    ' ',
  ),
  media: [
    ...AUDIO_OF_MEDIA,
    'covers',
    'cut-passage',
    'download-audio',
    'recordings',
    'edition-pictures',
    'email-pictures',
    'erase-objects',
    'share-canvas',
    'share-fonts',
    'share-images',
    'site-pictures',
    'sweep-uploads',
    'uploads',
  ],
  plans: ['choose-plan', 'features', 'plan-periods', 'quotas'],
  'accounts/base': ['email-links', 'devices'],
  'accounts/second-factors':
    'authenticator recovery-codes second-factor change-second-factor passkeys webauthn login-challenges'.split(' '),
  'accounts/logins': [
    'log-in',
    'login-attempts',
    'sessions',
    'identities',
    'identity-login',
    'sign-up',
    'passwords',
    'working-access',
    'verify-email',
    'verification-code',
    'mark-verified',
    'suspend-account',
  ],
  'accounts/settings': [
    'ages',
    'billing-details',
    'email-change',
    'notification-settings',
    'preferences',
    'profile',
    'security-page',
    'start-progress',
    'tracking-data',
    'delete-account',
  ],
  'accounts/personal-data':
    'zipped-files affiliate-data buyer-messages buyer-notes contact-lists data-contents donations messages own-payments rows statistics-files export-data erase-account'.split(
      ' ',
    ),
  operators: ['require-operator', 'manage-operators', 'record-operation'],
  team: ['activity', 'invite-member', 'accept-invitation', 'membership', 'switch-creator'],
  creators:
    'claim-page close-page insertion-access page suggest-page suspend-publishing mark-creator-changed track-readers'.split(
      ' ',
    ),
  developers: 'create-key end-key erase-keys idempotent-calls list-calls list-keys record-calls'.split(' '),
  apps: 'check-app-request connect-app exchange-code list-connections refresh-tokens register-app revoke-token sweep-apps tokens'.split(
    ' ',
  ),
  products:
    'archive-product product-catalog correct-words discover-products draft-product erase-products feature-show feed-identity feed-owner first-publish import-product listings price-product retire-product product-slugs spare-subscribers subscribers take-down-product mark-product-changed'.split(
      ' ',
    ),
  episodes:
    'calendar carry-out-releases kept-releases announce-episode audio-check audio-fetches fetch-audio balance batches episode-catalog chapters delete-episode description-html draft-episode duplicate-episode early-access described-chapters erase-episodes featured-episodes glossary import-episode promos preview-links publish-episode replace-audio search-episodes seasons show-totals episode-slugs store-transcript edit-transcript index-transcripts search-transcripts take-down-episode transcripts transitions page-episodes search-own-transcripts update-draft'.split(
      ' ',
    ),
  access: ['follow-show', 'free-conversion', 'grant-access'],
  audience:
    'activate-contact change-contacts change-own-contact confirmed-address contact-cells contact-columns contact-filter contact-imports contact-list contact-page contact-sources contact-tags contact-words edit-contact erase-contacts former-addresses join-newsletter keep-contact leave-by-email leave-newsletter linked-contact mark-bounced merge-contacts move-contacts open-contact-file own-contact read-contacts record-readers request-contact-import run-contact-import segments suppressions tracking-consents undo-contact-change'.split(
      ' ',
    ),
  coupons: ['manage-coupons', 'redeem-coupon', 'usable-coupon'],
  payouts:
    'bank-days connect-account seller-account adjust-balance seller-status erase-payouts ledger waiting-shares provider-movements papers tell-creator request-payout self-billing sepa settle-payout statements collect-transfers'.split(
      ' ',
    ),
  affiliates:
    'affiliate-page catch-up-shares erase-affiliate join-programme note-referral refusals review-referrals settle-share visit-link'.split(
      ' ',
    ),
  'billing/base': [
    'names',
    'bank-words',
    'customers',
    'refund-states',
    'take-back-payment',
    'sales',
    'receipt-numbers',
    'gift-links',
  ],
  'billing/checkout': ['view-offer', 'checkouts', 'buy-show', 'settle-checkout'],
  'billing/gifts': ['reports', 'endings', 'buy-gift', 'redeem-gift'],
  'billing/refunds': [
    'credit-notes',
    'refund-parts',
    'tell-refund',
    'repeat-returns',
    'refunds',
    'refund-sale',
    'return-refused',
    'unused-payments',
  ],
  'billing/subscriptions': [
    'subscriptions',
    'end-subscriptions',
    'ending-refunds',
    'pause-subscription',
    'my-subscriptions',
    'switch-subscription',
    'bring-subscription',
    'show-endings',
    'yearly',
    'platform-fees',
    'disconnect-account',
    'lost-accounts',
    'card-changes',
  ],
  'billing/plan-billing': ['plan-overview', 'confirm-plan', 'change-plan', 'end-plan', 'refund-credit'],
  'billing/provider-sync': [
    ...[
      'cards',
      'sync-checkout',
      'bring-sale',
      'learn-fee',
      'disputes',
      'payment-warnings',
      'events',
      'foreign-events',
      'catch-up',
    ],
  ],
  'billing/payers': [
    'charge-card',
    'claim-cards',
    'payment-methods',
    'overdue-links',
    'overdue',
    'finish-checkout',
    'start-plan',
    'receipts',
    'report-checkout',
    'erase-payments',
    'sweep-payments',
    'dispute-answers',
    'warning-answers',
  ],
  'billing/books': ['books', 'compare-books', 'reconcile-books', 'differences'],
  'billing/buyers':
    'access-emails batch-rules buyer-list buyer-filter buyer-states buyers invite-batch invite-buyers message-buyer note-buyer remove-batch remove-buyer show-revenue stop-messages'.split(
      ' ',
    ),
  donations: [
    'block',
    'donors',
    'erase-donations',
    'give-donation',
    'record-donation',
    'settings',
    'stop-donation',
    'thank-donor',
  ],
  insertions:
    'apply-template campaign-dates campaign-figures campaign-list campaign-reach choose-clips clip-files clip-sound clip-states convert-clip count-impressions create-clip end-unplanned enqueue-conversions episode-places erase-insertions foresee-conversions hold-rendition insertables list-clips mark-points move-campaign pauses play-promo prepare-clips prepare-episode promise-no-insertions release-reservations remove-clip rename-clip renditions replace-passages save-campaign served-lengths silencers silent-campaigns sound-preview switch-campaign'.split(
      ' ',
    ),
  soundbites: 'add-soundbite list-soundbites make-video page-soundbites remove-soundbite rename-soundbite'.split(' '),
  feeds:
    'combined-feed creators-link feed-access fetches request-follow heard-shows hub-pings link-states notices podcast-apps private-feed private-links readiness remedies shared-feeds subscriber-feed'.split(
      ' ',
    ),
  listening: (
    'audit-counting catch-up-sums compare-store downloads enclosure facts-table feed-fetches heard-minutes import-log legacy-plays listens log-keys log-lines machines move-history other-episodes partitions open-episode ' +
    'play-facts plain-sums positions recorders recount-minutes recount-month recount-statistics rollups salts ship-plays sound-files sources start-play starts tickets unfinished-episodes'
  ).split(' '),
  statistics: (
    'campaign-report live-figures sponsor-links sponsor-page breakdown changes coupon-figures episode-statistics first-hours home-figures home-plays latest-days month-figures ' +
    'month-report month-sales period-statistics postgres-statistics report-sales-text report-text retention revenue sales-statistics send-reports ' +
    'show-overview show-sales show-statistics subscriber-figures ' +
    'history-cells history-columns import-history imported-plays imported-sources read-history'
  ).split(' '),
  recommendations:
    'answer-recommendation block-requests count-brought end-recommendation erase-recommendations find-shows list-recommendations recommendation-figures request-recommendation review-recommendations settle-rows shown-recommendations tell-of-recommendation'.split(
      ' ',
    ),
  transcription:
    'credits decide-transcription erase-transcriptions hear-pieces prepare-pieces recover-transcriptions run-transcription settle-run start-timing start-transcription tell-of-run time-text timing-state transcription-state'.split(
      ' ',
    ),
  suggestions: ['erase-suggestions', 'run-suggestions', 'start-suggestions', 'suggestions-state', 'take-suggestion'],
  'rss-import':
    'announce-import-end complete-import answer-import clean-notes copy-item erase-imports extras fetch-file fill-dates import-feed old-feeds pictures plan-import poll-outcomes poll-old-feed preview-cover preview-show read-feed recover-imports request-feed-import start-imports sweep-imports sweep-show-previews'.split(
      ' ',
    ),
  'moving/redirects': ['redirect-feed'],
  'moving/subscriber-imports':
    'columns line-facts line-rules steps copied-customers old-addresses read-list request-import check-lines import-line confirm-import import-lines run-import welcome-subscriber erase-moves sweep-subscriber-imports'.split(
      ' ',
    ),
  'moving/account-moves': ['move-line', 'move-subscriptions', 'undo-move'],
  spotify:
    'check-show deliver-show distribution-feed link-account pause-calls publish-show reconcile-listeners spotify-page sync-entitlements unlink-account'.split(
      ' ',
    ),
  newsletter:
    'add-sending-domain automation-drafts bulk-emails change-automation change-domain-sender change-recommendations change-steps check-links check-sending-domain check-steps compose-mailing count-readers create-automation deliver-bulk-emails deliver-edition deliver-step dmarc-rate drop-waiting duplicate-edition edit-edition edition-audience edition-choices edition-counts edition-page edition-reader edition-slugs edition-urls edition-versions email-tags enrol-contact episode-draft erase-newsletter find-recommendable find-unreachable join-recommended lease-emails list-automations list-editions lost-recipients move-series move-waiting newsletter-settings own-newsletter-data own-sender preview-edition read-mailbox reader-links receive-message recommended-newsletters record-dmarc-report record-mail-events release-pictures remove-sending-domain remove-steps render-edition reserve-share resume-edition send-due-steps send-edition send-test send-welcome sender sending-domains stop-welcome switch-automation tell-of-domain unzip-report verify-sender warm-up-again'.split(
      ' ',
    ),
  pages:
    'creator-page discover-page embed estimate-earnings episode-page episode-preview find-page home-page oembed play-counter popular-shows product-page public-address public-feed reported-page share-image show-offer site-map site-picture soundbite-page'.split(
      ' ',
    ),
  support: ['contact-support', 'decide-reports', 'report-abuse'],
  status: ['check-components', 'component-probes', 'incidents', 'status-page', 'sweep-checks'],
  webhooks:
    'chat-text compose-message count-milestones deliver-webhooks deliveries endpoints erase-webhooks event-scopes lease-deliveries record-attempts rotate-secret sample-events save-endpoint send-by-hand sweep-events switch-endpoint tell-of-endpoint'.split(
      ' ',
    ),
  'creator-backup':
    'exported-table campaign-tables imported-editions insertion-tables newsletter-tables audience-tables content-tables backup-contents find-download build-backup imported-rows import-backup manifest new-ids backup-parts request-backup sheets stored-files sweep-backups tables open-backup'.split(
      ' ',
    ),
  // the operators' actions, with the verbs of all rooms; owns no table
  console: [
    'accounts',
    'publish-announcement',
    'dismiss-report',
    'emails',
    'imports',
    'jobs',
    'overview',
    'allow-publishing',
    'open-insertions',
    'find-anything',
    'set-switch',
    'take-down',
    'transfers',
  ],
};

/** Schema files that belong to no single room. */
export const ROOM_OF_SCHEMA: Record<string, string> = {
  automations: 'newsletter',
  'contact-imports': 'audience',
  logins: 'accounts',
  'episode-parts': 'episodes',
  discovery: 'products',
  buyers: 'billing',
  checkouts: 'billing',
  'credit-notes': 'billing',
  gifts: 'billing',
  glossaries: 'episodes',
  ledger: 'payouts',
  'payment-warnings': 'billing',
  reconciliation: 'billing',
  renditions: 'insertions',
  'sale-days': 'billing',
  'seller-accounts': 'payouts',
  'sending-domains': 'newsletter',
  'featured-shows': 'products',
  'imported-plays': 'statistics',
  'heard-minutes': 'listening',
  'listening-months': 'listening',
  'log-imports': 'listening',
  'studio-notices': 'reference',
  'subscription-sums': 'billing',
  switches: 'reference',
  'unused-payments': 'billing',
};

/** The features that each feature may use. A feature without an entry uses none. */
export const FEATURES: Record<string, string[]> = {
  account: ['drafts', 'upload'],
  admin: ['account'],
  apps: ['account', 'auth'],
  blog: ['marketing', 'public', 'site'],
  buying: ['auth', 'player', 'public'],
  creator: ['drafts', 'upload'],
  discover: ['blog', 'marketing', 'player', 'public', 'site'],
  developers: ['account'],
  distribution: ['drafts'],
  donation: ['auth', 'public', 'site'],
  emails: ['auth', 'site'],
  embed: ['player', 'public'],
  episode: ['drafts', 'sound', 'upload'],
  home: ['calendar', 'statistics'],
  feed: ['blog', 'donation', 'marketing', 'player', 'public', 'site'],
  gifts: ['auth', 'public'],
  insertions: ['account', 'recorder'],
  legal: ['blog', 'marketing', 'site'],
  marketing: ['auth', 'blog', 'plans', 'player', 'public', 'rss-import', 'site'],
  money: ['account', 'subscriptions'],
  moving: ['account'],
  newsletter: ['account', 'drafts', 'product', 'upload'],
  pages: ['blog', 'marketing', 'public', 'site'],
  places: ['account', 'recorder', 'sound'],
  product: ['drafts', 'upload'],
  public: ['player', 'site'],
  recorder: ['upload'],
  'rss-import': ['account', 'studio'],
  soundbites: ['sound'],
  sales: ['account'],
  site: ['tracking'],
  subscriptions: ['donation', 'gifts', 'public', 'site'],
  start: ['drafts', 'upload'],
  statistics: ['account', 'subscriptions'],
  recommendations: ['account', 'episode', 'product'],
  studio: ['plans', 'site', 'tracking'],
  team: ['account'],
  transcript: ['drafts'],
  webhooks: ['account'],
};

/**
 * All code in its order: a file imports only its own layer and those before it, types included; the first match counts.
 * Every layer may know the roles of `server/policy`; of `server/runtime`, rooms know ctx only.
 */
export const LAYERS: Record<string, RegExp> = {
  values: /^(?:locales|server\/(?:base|limits))\/|^server\/policy\/roles$/,
  engines:
    /^server\/(?:agents|alignment|audio|bounces|content|edition|feed|recognition|sending-domains|transcript|zip)\//,
  settings: /^server\/env\//,
  watching: /^server\/watching\//,
  flow: /^server\/flow\//,
  ports: /^(?:server\/(?:adapters|sandbox)|packages)\//,
  database: /^db\//,
  queue: /^server\/queue\//,
  logins: /^server\/auth\//,
  context: /^server\/runtime\/(?:ctx|seams)$/,
  permissions: /^server\/policy\//,
  rooms: /^server\/domain\//,
  runtime: /^server\/runtime\/(?!(?:demo|greeting|progress|worker-port)$)/,
  jobs: /^jobs\//,
  http: /^server\/http\//,
  procedures: /^server\/trpc\//,
  rest: /^server\/rest\//,
  doors: /^server\/doors\//,
  tools: /^server\/(?:admin|backup|seed)\//,
  processes: /^server\/(?:runtime\/\w|web$|main$)/,
  pages: /^app\//,
};
