import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import classes from './settings.module.css';

/** A link to the page about the creator's own Stripe account. */
export function StripeLink() {
  const { t } = useTranslation('account');
  const { sellerAccount } = usePaths();
  return (
    <Section title={t('stripe.title')}>
      <p className={classes.name}>{t('stripe.short')}</p>
      <p className={classes.name}>
        <Link to={sellerAccount}>{t('stripe.open')}</Link>
      </p>
    </Section>
  );
}
