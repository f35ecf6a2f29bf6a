import { ScrollRegion } from '~/app/components/scroll-region';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { usePaths } from '~/app/lib/paths';
import { useViewer } from '~/app/lib/root-data';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { ClosingStep } from './closing-step';
import { MoneyBar, PartLabel } from './money-bar';
import { NextStep } from './next-step';
import type { PricingView } from './pricing-data.server';
import { QuestionList } from './question-list';

/** What each plan costs and includes, and what a sale leaves. */
export function PricingPage({ view }: { view: PricingView }) {
  const { t } = useTranslation('pricing');
  const paths = usePaths();
  return (
    <SiteShell links={view.links}>
      <div className="wrap pricing">
        <h1>{t('headline')}</h1>
        <p className="lead">{t('lead')}</p>
        {!view.takesPayments && <p className="notice">{t('noPayments')}</p>}
        <NextStep />
        <PlanCards plans={view.plans} level={2} />
        <p className="muted small">{t('prices')}</p>
        <Comparison view={view} />
        {view.examples && <Example example={view.examples} />}
        <section>
          <h2>{t('limits.title')}</h2>
          <dl className="limit-list">
            {view.limits.map(({ label, text }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section>
          <h2>{t('questions')}</h2>
          <QuestionList questions={view.questions} />
          <p className="form-foot">
            <Link to={paths.contact}>{t('otherQuestion')}</Link>
          </p>
        </section>
        <ClosingStep title={t('closing')} />
      </div>
    </SiteShell>
  );
}

/** `level`: of the headings with the plans' names. */
export function PlanCards({ plans, level }: Pick<PricingView, 'plans'> & { level: 2 | 3 }) {
  const Heading = `h${level}` as const;
  const { t } = useTranslation('pricing');
  const paths = usePaths();
  const viewer = useViewer();
  const choose = viewer?.usesStudio ? paths.plans : paths.register(paths.claimPage);
  return (
    <ul className="plan-cards">
      {plans.map(({ code, name, price, per, about, isByContract, includes }) => (
        <li key={code}>
          <Heading>{name}</Heading>
          <p className="plan-price">
            <strong>{price}</strong> {per && <span className="muted small">{per}</span>}
          </p>
          <p>{about}</p>
          <details className="plan-details">
            <summary>{t('included')}</summary>
            <dl>
              {includes.map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </details>
          <p className="plan-choice">
            <Link className="button plain" to={isByContract ? paths.contact : choose}>
              {isByContract ? t('contact') : t('startWith', { plan: name })}
            </Link>
          </p>
        </li>
      ))}
    </ul>
  );
}

function Comparison({ view: { plans, rows } }: { view: PricingView }) {
  const { t } = useTranslation('pricing');
  return (
    // the keyboard scrolls a table that is wider than the screen
    <ScrollRegion className="table-scroll plan-table" labelledBy="plans-table">
      <table>
        <caption id="plans-table">{t('table')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('included')}</th>
            {plans.map(({ code, name }) => (
              <th key={code} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, values }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {plans.map(({ code }, at) => (
                <td key={code}>{values[at]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

export function Example({ example: { lead, parts, note } }: { example: NonNullable<PricingView['examples']> }) {
  const { t } = useTranslation('pricing');
  const paths = usePaths();
  return (
    <section className="commission-example">
      <h2>{t('example.title')}</h2>
      <p>{lead}</p>
      <MoneyBar parts={parts} />
      <dl>
        {parts.map((part) => (
          <div key={part.name}>
            <dt>
              <PartLabel part={part} />
            </dt>
            <dd>{part.amount}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">{note}</p>
      <p>
        <Link to={paths.calculator}>{t('example.calculator')}</Link>
      </p>
    </section>
  );
}
