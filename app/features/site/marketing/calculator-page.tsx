import { ScrollRegion } from '~/app/components/scroll-region';
import './calculator.css';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { CalculatorView } from './calculator-data.server';
import { CalculatorForm } from './calculator-form';
import { MoneyBar, PartLabel } from './money-bar';
import { NextStep } from './next-step';
import { PlatformTable } from './platform-table';

const RESULT = 'result';

/** What listeners' payments leave a creator, beside other ways of selling. */
export function CalculatorPage({ view }: { view: CalculatorView }) {
  const { t } = useTranslation('calculator');
  const { t: tPricing } = useTranslation('pricing');
  const { result } = view;
  return (
    <SiteShell links={view.links}>
      <div className="wrap pricing">
        <h1>{t('headline')}</h1>
        <p className="lead">{t('lead')}</p>
        {!view.takesPayments && <p className="notice">{tPricing('noPayments')}</p>}
        <div className="calculator">
          <CalculatorForm view={view} result={RESULT} />
          {result ? <Result result={result} /> : <p className="calculator-result muted">{t('noResult')}</p>}
        </div>
        {result && (
          <>
            <HowCalculated result={result} />
            {result.income.length > 0 && <PlatformTable platforms={result.platforms} />}
          </>
        )}
      </div>
    </SiteShell>
  );
}

type Props = { result: NonNullable<CalculatorView['result']> };

function Result({ result }: Props) {
  const { t } = useTranslation('calculator');
  const { month, year, keptShare, parts, paid, vatNote, advice, path } = result;
  return (
    <section className="calculator-result" id={RESULT} tabIndex={-1} aria-labelledby="kept">
      <h2 id="kept">{t('result')}</h2>
      <p className="kept-amount" role="status">
        <strong>{month}</strong> <span>{t('aMonth')}</span>
      </p>
      <p className="muted">
        {t('inYear', { amount: year })} {keptShare && t('keptShare', { share: keptShare })}
      </p>
      {advice && <p className="notice">{advice}</p>}
      <MoneyBar parts={parts} />
      {/* amounts of millions are wider than a phone */}
      <ScrollRegion className="wide-amounts" label={t('breakdown')}>
        <table className="parts-table stacked-table">
          <caption className="hidden-visually">{t('breakdown')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('column.part')}</th>
              <th scope="col">{t('column.month')}</th>
              <th scope="col">{t('column.year')}</th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <tr key={part.name}>
                <th scope="row">
                  <PartLabel part={part} />
                </th>
                <td data-label={t('column.month')}>{part.amount}</td>
                <td data-label={t('column.year')}>{part.yearly}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('paid')}</th>
              <td data-label={t('column.month')}>{paid.month}</td>
              <td data-label={t('column.year')}>{paid.year}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollRegion>
      <p className="vat-note small muted">{vatNote}</p>
      <NextStep />
      <div className="share-figures">
        <label htmlFor="share-figures">{t('share')}</label>
        <input className="input" id="share-figures" readOnly value={path} />
      </div>
    </section>
  );
}

/** One payment of each kind, as the ledger divides it. */
function HowCalculated({ result: { income } }: Props) {
  const { t } = useTranslation('calculator');
  const paths = useSitePaths();
  return (
    <section>
      <h2 id="one-payment">{t('one.title')}</h2>
      <p className="calculator-note">
        {t('one.text')} <Link to={paths.pricing}>{t('one.pricing')}</Link>
      </p>
      {income.length > 0 && (
        // the keyboard scrolls a table that is wider than the screen
        <ScrollRegion className="table-scroll" labelledBy="one-payment">
          <table className="stacked-table">
            <thead>
              <tr>
                {(['kind', 'price', 'vat', 'commission', 'share', 'count'] as const).map((name) => (
                  <th key={name} scope="col">
                    {t(`one.${name}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {income.map(({ kind, label, price, vat, commission, share, count }) => (
                <tr key={kind}>
                  <th scope="row">{label}</th>
                  {Object.entries({ price, vat, commission, share, count }).map(([name, value]) => (
                    <td key={name} data-label={t(`one.${name}`)}>
                      {value}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}
