import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { donorsPath, NOTIFICATIONS_PATH } from '../../base/account-paths';
import { type Locale, localeOf } from '../../base/formats';
import { formatMoney } from '../../base/money';
import { languagePrefix } from '../../base/public-paths';
import type { TxCtx } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { findCreatorRecord } from '../creators/queries';
import { queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { type DonationRow, lookupSettings } from './queries';
import { shownName } from './rules';
import { stopLink } from './stop-donation';

type Sent = { url: string } & Record<string, string>;

/** Emails the donor, with the creator's own text, and with the link that stops a monthly donation. */
export async function thankDonor(tx: TxCtx, donation: DonationRow, language: Language): Promise<void> {
  const { creatorId, userId, email: to, every } = donation;
  const creator = await findCreatorRecord(tx, creatorId);
  const settings = await lookupSettings(tx, creatorId);
  const topic = every ? 'donation_thanks_monthly' : 'donation_thanks';
  const donor = userId === null ? null : await findUser(tx, userId);
  const amount = amountOf(donation, localeOf(language, donor?.country));
  const facts = { name: creator.name, amount, url: tx.urls.creator(creator.domain) };
  const translate = translatorOf(tx, language);
  const { subject, content } = accountEmail(translate, topic, facts);
  const [why = '', ...rest] = content.paragraphs;
  const own = settings?.thankYouText ? [settings.thankYouText] : [];
  const stop = every && { label: translate('mail:donation.stop'), url: stopLink(tx, donation, language) };
  await queueEmail(tx, {
    to,
    userId,
    topic,
    language,
    subject,
    content: { ...content, paragraphs: [why, ...own, ...rest], ...(stop && { footerLink: stop }) },
  });
}

/** Emails the creator, unless they have turned this email off. */
export async function notifyCreator(tx: TxCtx, donation: DonationRow): Promise<void> {
  const creator = await findCreatorRecord(tx, donation.creatorId);
  if (creator.closedAt) return;
  const owner = await findUser(tx, creator.userId);
  const language = owner.language ?? DEFAULT_LANGUAGE;
  const translate = translatorOf(tx, language);
  const page = (path: string) => tx.urls.app(languagePrefix(language) + path);
  const donor = shownName({ ...donation, isAnonymous: false }) ?? donation.email;
  const facts: Sent & { name: string } = {
    name: owner.name,
    donor,
    amount: amountOf(donation, localeOf(language, owner.country)),
    rhythm: translate(`mail:donation.${donation.every ?? 'once'}`),
    url: page(donorsPath(creator.id)),
  };
  const { subject, content } = accountEmail(translate, 'donation_received', facts);
  const message = donation.message ? [translate('mail:donation.message', { message: donation.message })] : [];
  await queueEmail(tx, {
    to: owner.email,
    userId: owner.id,
    topic: 'donation_received',
    language,
    subject,
    content: {
      ...content,
      paragraphs: [...content.paragraphs, ...message],
      footerLink: { label: translate('mail:donation.settings'), url: page(NOTIFICATIONS_PATH) },
    },
  });
}

const amountOf = ({ amountMinor: minor, currency }: DonationRow, locale: Locale) =>
  formatMoney({ minor, currency }, locale);

const translatorOf = (tx: TxCtx, language: Language) => (key: string, params?: Record<string, string | number>) =>
  tx.translate(key, params, language);
