import { Button } from '~/app/components/button';
import { SectionTitle } from '~/app/components/section-title';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';
import type { BalanceView } from '~/server/domain/payouts/request-payout';
import classes from './home.module.css';

/** The creator's balance, and the link to request a payout (spec §4). Hidden before the first sale. */
export function MoneyCard({ balances }: { balances: BalanceView[] }) {
  const { t, locale } = useTranslation('money');
  const paths = usePaths();
  const may = useMay();
  const used = balances.filter(({ availableMinor, pendingMinor }) => availableMinor !== 0 || pendingMinor !== 0);
  if (used.length === 0) return null;
  const canRequest = may('creator.requestPayout') && used.some(({ problem }) => problem === null);
  return (
    <section aria-labelledby="money" className={classes.money}>
      <SectionTitle id="money">{t('card.title')}</SectionTitle>
      {used.map(({ currency, availableMinor, pendingMinor }) => {
        const money = (minor: number) => formatMoney({ minor, currency }, locale);
        return (
          <p key={currency}>{t('card.text', { available: money(availableMinor), pending: money(pendingMinor) })}</p>
        );
      })}
      <Button component={Link} to={paths.money} variant={canRequest ? 'filled' : 'default'}>
        {t(canRequest ? 'card.request' : 'card.open')}
      </Button>
    </section>
  );
}
