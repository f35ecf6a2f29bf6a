import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';
import { FEED_LIMITS } from './feeds';
import { MEGABYTES } from './sizes';
import { TRANSCRIPT_LIMITS } from './transcripts';

/**
 * `addressLength`: longer URLs and hosts are served but not cached, in characters. `bytes`: memory for pages and feeds.
 * `answers`, `answerBytes`, `answerKeptFor`: answers of the REST API. `rowsBytes`: memory for the HTML of lists.
 * `languages`, `languageKeptFor`: languages of shows.
 */
export const CACHE_LIMITS = {
  addressLength: 500,
  pageCeiling: MINUTES(1),
  bytes: 64 * MEGABYTES,
  answers: 1000,
  answerBytes: 4 * MEGABYTES,
  answerKeptFor: SECONDS(1),
  rowsBytes: 4 * MEGABYTES,
  languages: 1000,
  languageKeptFor: SECONDS(1),
} as const;

/**
 * Sizes of request bodies other than uploads: `page` for the forms of pages, `transcript` for the one with a file,
 * `notes` for an episode's form, which writes up to three bytes for each one of its notes, `call` for tRPC and REST,
 * `people` for a batch of a thousand addresses,
 * `mailReport` for what mail providers send, in bytes. They arrive within `arrival`; forms with files bring `pace` bytes in each such period.
 */
export const BODY_LIMITS = {
  page: 256 * 1024,
  notes: 3 * FEED_LIMITS.notesBytes + 84_000,
  transcript: TRANSCRIPT_LIMITS.maxBytes + 50_000,
  call: 200_000,
  people: 320_000,
  mailReport: 1024 * 1024,
  arrival: SECONDS(30),
  pace: 32 * 1024,
} as const;

/**
 * A form with files: the number of its files, and of files and fields together. `fields`: of other forms; the one of
 * chapters has a thousand.
 */
export const FORM_LIMITS = { files: 10, parts: 500, fields: 2000 } as const;

/** Limits of a path, without its query: characters and segments. The longest of ours have seven. */
export const PATH_LIMITS = { length: 1000, segments: 12 } as const;

/** Applies while the database or the payment provider is away. */
export const UNAVAILABLE_LIMITS = { retryAfter: SECONDS(10) } as const;

/** tRPC: calls in one HTTP request, and fields in one call's input. */
export const CALL_LIMITS = { batch: 10, fields: 200 } as const;

/**
 * Logins: failures from one network before the slow pace begins, failures without a pause while the account is under
 * attack, and the longest time that the server itself waits for an attempt's turn.
 */
export const LOGIN_LIMITS = { slowFrom: 20, freeUnderAttack: 1, patience: SECONDS(4) } as const;

/** Passwords hashed at the same time, for about 30 ms each and with 19 MB; more would starve other requests of CPU. */
export const HASHING_LIMITS = { running: 2, waiting: 100 } as const;

/** Requests (`points`) per client in `duration`. */
export const RATE_LIMITS = {
  /** Failed logins to one account from one network that cause no pause. */
  logInPair: { points: 5, duration: MINUTES(15) },
  /** Failed logins from one network, to all accounts together. */
  logInNetwork: { points: 50, duration: MINUTES(10) },
  /** Failed logins to one account, from all networks together. */
  logInAccount: { points: 100, duration: HOURS(1) },
  /** Failed logins on a device that has logged in to the account before. */
  logInDevice: { points: 10, duration: HOURS(1) },
  /** The pace of further attempts: one per duration. */
  logInPace: { points: 1, duration: SECONDS(2) },
  logInSlowPace: { points: 1, duration: SECONDS(30) },
  /**
   * The pace for codes to one account from devices that it does not know, while many networks guess: one per duration.
   */
  codePace: { points: 1, duration: SECONDS(30) },
  passkey: { points: 60, duration: MINUTES(10) },
  confirmIdentity: { points: 30, duration: MINUTES(15) },
  verifyEmail: { points: 60, duration: MINUTES(10) },
  changePassword: { points: 10, duration: MINUTES(15) },
  updatePayoutAddress: { points: 20, duration: MINUTES(15) },
  requestPayout: { points: 20, duration: MINUTES(15) },
  requestEmailChange: { points: 20, duration: HOURS(1) },
  requestPasswordReset: { points: 10, duration: HOURS(1) },
  requestDeletion: { points: 10, duration: MINUTES(15) },
  requestFollow: { points: 10, duration: HOURS(1) },
  /** Payment pages of donations, each of which is a customer and a checkout at the payment provider. */
  giveDonation: { points: 20, duration: HOURS(1) },
  /** Feeds that a creator lets us fetch, to preview, request or prove an import. */
  fetchFeed: { points: 30, duration: HOURS(1) },
  /** Feeds that a visitor lets us fetch, to see their show here. */
  previewFeed: { points: 20, duration: HOURS(1) },
  /** Such feeds of one host, for all visitors: many shows are at the same few. */
  previewFeedHost: { points: 120, duration: MINUTES(10) },
  /** All such feeds: each is a row for a day. */
  previewFeedAll: { points: 200, duration: MINUTES(10) },
  /** Pages of such shows, whose links nobody can guess; this limits the queries. */
  openFeedPreview: { points: 60, duration: MINUTES(10) },
  /** Lists of subscribers, each of which asks the payment provider about every line. */
  importSubscribers: { points: 20, duration: HOURS(1) },
  importContacts: { points: 50, duration: HOURS(1) },
  /** Files of contacts, whose beginning is read again with each choice of a column. */
  previewContacts: { points: 200, duration: HOURS(1) },
  /** Files with statistics of another host, each of which is read in the request. */
  readHistory: { points: 60, duration: HOURS(1) },
  contact: { points: 10, duration: HOURS(1) },
  report: { points: 10, duration: HOURS(1) },
  /** Pages for sponsors, by links that nobody can guess in so few attempts. */
  viewFigures: { points: 60, duration: MINUTES(10) },
  /** New links for sponsors; revoking has no limit, because a link may have reached the wrong person. */
  createSponsorLink: { points: 60, duration: HOURS(1) },
  /** Addresses for the audio of existing episodes, each of which may be a download. */
  changeAudioUrl: { points: 60, duration: HOURS(1) },
  /** Test events, too, which are requests to any address. */
  changeWebhooks: { points: 120, duration: HOURS(1) },
  /** Codes of links that others have taken could be guessed. */
  createAffiliateLink: { points: 60, duration: HOURS(1) },
  /** Visits by links of affiliates, each of which may be a row. */
  followAffiliateLink: { points: 60, duration: MINUTES(10) },
  viewReported: { points: 120, duration: MINUTES(10) },
  /** Codes are short enough to be guessed. */
  checkCoupon: { points: 30, duration: MINUTES(10) },
  /** Each payment page is a call to the payment provider. */
  buy: { points: 40, duration: MINUTES(10) },
  /** Requests for the price of a purchase, without a coupon. */
  viewOffer: { points: 200, duration: MINUTES(10) },
  /** Tokens of gifts are too long to be guessed; this limits the queries. */
  openGift: { points: 60, duration: MINUTES(10) },
  /** Visits after a payment, which may call the payment provider. */
  viewCheckout: { points: 300, duration: MINUTES(10) },
  joinNewsletter: { points: 10, duration: HOURS(1) },
  identityLogin: { points: 120, duration: MINUTES(10) },
  signUp: { points: 20, duration: HOURS(1) },
  /** Calls to the payment provider that a user or visitor causes. */
  payments: { points: 240, duration: MINUTES(10) },
  /** Of a creator. Each may be about a thousand people. */
  subscriberBatch: { points: 60, duration: MINUTES(10) },
  /** Private feeds of subscribers that a creator makes, replaces and ends. */
  subscriberFeed: { points: 300, duration: MINUTES(1) },
  /** Replacements of one such feed. */
  replaceSubscriberFeed: { points: 10, duration: DAYS(1) },
  /** Each is a call to Spotify, or leads to some. */
  spotify: { points: 60, duration: MINUTES(10) },
  /** Each has up to five addresses. */
  editionTest: { points: 20, duration: HOURS(1) },
  /** Of a creator. Each requests up to 50 pages of others. */
  checkLinks: { points: 20, duration: HOURS(1) },
  /** Links to end emails that are invalid: valid ones have no limit, because email providers use many at once. */
  invalidLink: { points: 60, duration: MINUTES(1) },
  /** Reports about emails that are forged or old; others have no limit. */
  rejectedReport: { points: 60, duration: MINUTES(1) },
  /** Each makes a key. */
  domainAdd: { points: 20, duration: HOURS(1) },
  /** Each asks name servers four times. */
  domainCheck: { points: 30, duration: MINUTES(10) },
  /**
   * Apps that register themselves, which anyone may do: each is a row for a day. An assistant registers once for each of
   * its users, from few addresses. The second counts everyone's.
   */
  registerApp: { points: 300, duration: HOURS(1) },
  registerAppAll: { points: 5000, duration: HOURS(1) },
  connectApp: { points: 60, duration: HOURS(1) },
  /** Requests for tokens that fail. Others have no limit: the users of an assistant share its addresses. */
  appTokens: { points: 120, duration: MINUTES(10) },
  /** Calls of the tools of one connection or key. */
  mcp: { points: 240, duration: MINUTES(1) },
  /** Requests to API v1 and to the assistant's door with an unknown or ended token. */
  refusedToken: { points: 120, duration: MINUTES(1) },
  /** Searches for newsletters and shows of other creators. */
  recommendable: { points: 60, duration: MINUTES(1) },
  publicWrite: { points: 120, duration: MINUTES(1) },
  /** A player reports its minutes once a minute. Players must not block the forms of their network. */
  countMinutes: { points: 600, duration: MINUTES(1) },
  /** The player of a logged-in user saves its position every ten seconds. */
  savePosition: { points: 1200, duration: MINUTES(1) },
} as const;
