import { RESET_PASSWORD_PATH } from '../../../base/account-paths';
import { localeOf } from '../../../base/formats';
import { formatMoney } from '../../../base/money';
import { feedLinksPath, languagePrefix, SUBSCRIPTIONS_PATH } from '../../../base/public-paths';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import type { TxCtx } from '../../../runtime/ctx';
import { createEmailLink } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { emailId } from '../../billing/base/names';
import type { CheckoutRow } from '../../billing/base/queries';
import { queueEmail } from '../../notifications/outbox';
import { accountEmail } from '../../notifications/templates/account-email';

const TOPIC = 'subscriber_welcome';

/**
 * Tells an imported subscriber the show's new place and the date of the next charge. Each subscriber gets one email.
 */
export async function queueWelcome(tx: TxCtx, checkout: CheckoutRow): Promise<void> {
  const user = await findUser(tx, checkout.userId!);
  const language = user.language ?? checkout.language;
  const translate = (key: string, values?: Record<string, string | number>) => tx.translate(key, values, language);
  const prefix = languagePrefix(language);
  const { name: show, priceMinor: minor, currency, every } = checkout.terms;
  const amount = formatMoney({ minor, currency }, localeOf(language, user.country));
  const price = translate(`mail:purchase.${every ?? 'once'}`, { amount });
  const url = tx.urls.app(`${prefix}${feedLinksPath(checkout.productId!)}`);
  const { subject, content } = accountEmail(translate, TOPIC, { name: user.name, url, show, price });
  const lifetime = SUBSCRIBER_IMPORT_LIMITS.passwordLink;
  const footerLink =
    user.passwordHash === null
      ? {
          label: translate('mail:purchase.password'),
          url: await createEmailLink(tx, user, { purpose: 'reset_password', path: RESET_PASSWORD_PATH, lifetime }),
        }
      : { label: translate('mail:purchase.manage'), url: tx.urls.app(prefix + SUBSCRIPTIONS_PATH) };
  const email = { to: user.email, userId: user.id, topic: TOPIC, language, subject };
  await queueEmail(tx, { id: emailId(checkout, TOPIC), ...email, content: { ...content, footerLink } });
}
