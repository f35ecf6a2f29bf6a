import { SUBSCRIPTIONS_PATH } from './public-paths';

/** Paths of the app's own pages that no listener's page links to: listeners do not load this file. */

/** The page on which operators read reports. */
export const OPERATOR_REPORTS_PATH = '/admin/reports';
/** The second step of a log-in. */
export const LOGIN_CODE_PATH = '/login/code';
export const CONFIRM_EMAIL_PATH = '/confirm-email';
export const FORGOT_PASSWORD_PATH = '/login/forgot-password';
export const RESET_PASSWORD_PATH = '/login/reset-password';
export const SECURITY_PATH = '/profile/security';
/** The first-login dialog. */
export const FIRST_LOGIN_PATH = '/first-login';
export const BILLING_PATH = '/billing';
/** The creator's money: balance, payouts, statements. */
export const MONEY_PATH = '/money';
export const SENDING_DOMAIN_PATH = '/newsletter-settings/domain';
export const PLANS_PATH = '/plans';
/** The creator's recommendations of other shows, and those of theirs. */
export const RECOMMENDATIONS_PATH = '/recommendation';
export const PAYMENT_METHODS_PATH = `${SUBSCRIPTIONS_PATH}/payment-methods`;
export const RECEIPTS_PATH = `${SUBSCRIPTIONS_PATH}/receipts`;
export const ADD_CARD_PATH = '/add/card';
export const GO_PAID_PATH = '/go-paid/plans';
/** The creator's keys of the API, and what was called with them. */
export const DEVELOPERS_PATH = '/profile/developers';
export const OWN_DATA_PATH = '/profile/data';
/** The steps for creators who leave, with the archive of everything. */
export const LEAVING_PATH = '/leaving';
export const VERIFY_EMAIL_PATH = '/verify-email';
/** The page where visitors donate to a creator. */
export const donationPath = (creatorId: number) => `/donation/${creatorId}`;
/** The creator's list of donors. */
export const donorsPath = (creatorId: number) => `${donationPath(creatorId)}/subscribers`;
/** The step that opens the payment page of a donation (spec §2.1). */
export const DONATION_PAYMENT_PATH = '/register/donation-payment';
/** The target of the link that stops a monthly donation without logging in. */
export const STOP_DONATION_PATH = '/donation/stop';
/** The creator's own account at the payment provider; the provider returns to it. */
export const SELLER_ACCOUNT_PATH = '/billing/account';
export const CONNECTED_ACCOUNT_PATH = `${SELLER_ACCOUNT_PATH}/connected`;
/** The page that links an account with Spotify, and publishes a creator's shows there (spec §2.1). */
export const SPOTIFY_PATH = '/spotify';
/** Spotify returns here. */
export const SPOTIFY_CALLBACK_PATH = `${SPOTIFY_PATH}/callback`;
/** The page of a show at Spotify, by its URI (`spotify:show:…`). */
export const spotifyPageOf = (uri: string) => `https://open.spotify.com/show/${uri.slice(uri.lastIndexOf(':') + 1)}`;
/** The page on which people let an app in (OAuth 2.1). */
export const OAUTH_AUTHORIZE_PATH = '/oauth/authorize';
/** The apps that are connected to the creator. */
export const CONNECTED_APPS_PATH = '/profile/developers/apps';
export const NOTIFICATIONS_PATH = '/profile/notifications';
/** The page that explains how a private feed gets into a podcast app (spec §2.2). */
export const PODCATCHER_PATH = '/podcatcher';
/** The addresses to which a creator's events are sent. */
export const WEBHOOKS_PATH = '/profile/developers/webhooks';
