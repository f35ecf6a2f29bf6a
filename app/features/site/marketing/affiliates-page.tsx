import { ScrollRegion } from '~/app/components/scroll-region';
import './affiliates.css';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { useViewer } from '~/app/lib/root-data';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { AffiliatesView } from './affiliates-data.server';
import { QuestionList } from './question-list';

/** How the affiliate programme works, and what it brings. */
export function AffiliatesPage({ view }: { view: AffiliatesView }) {
  const { t } = useTranslation('affiliates');
  const { numbers } = view;
  return (
    <SiteShell links={view.links}>
      <div className="wrap pricing">
        <h1>{t('site.headline')}</h1>
        <p className="lead">{t('site.lead', numbers)}</p>
        {!view.takesPayments && <p className="notice">{t('noPayments')}</p>}
        <Join path={view.studioPath} text={t('site.joinText')} />
        <section>
          <h2>{t('site.steps')}</h2>
          <ol className="affiliate-steps">
            {view.steps.map(({ name, text }) => (
              <li key={name}>{text}</li>
            ))}
          </ol>
        </section>
        <Examples view={view} />
        <section>
          <h2>{t('site.questions')}</h2>
          <QuestionList questions={view.questions} />
        </section>
        <section className="closing">
          <h2>{t('site.closing')}</h2>
          <Join path={view.studioPath} />
        </section>
      </div>
    </SiteShell>
  );
}

/** The page of the studio; visitors sign up first. */
function Join({ path, text }: { path: string; text?: string }) {
  const { t } = useTranslation('affiliates');
  const paths = useSitePaths();
  const viewer = useViewer();
  return (
    <p className="actions">
      <Link className="button" to={viewer ? path : paths.register(path)}>
        {t('site.join')}
      </Link>
      {text && <span className="muted small">{text}</span>}
    </p>
  );
}

function Examples({ view: { plans, numbers } }: { view: AffiliatesView }) {
  const { t } = useTranslation('affiliates');
  return (
    <section>
      <ScrollRegion className="table-scroll" labelledBy="affiliate-plans">
        <table>
          <caption id="affiliate-plans">{t('site.example')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('site.plan')}</th>
              <th scope="col">{t('site.price')}</th>
              <th scope="col">{t('site.perMonth')}</th>
              <th scope="col">{t('site.perYear', numbers)}</th>
            </tr>
          </thead>
          <tbody>
            {plans.map(({ name, price, share, total }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{price}</td>
                <td>{share}</td>
                <td>{total}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="muted small affiliate-note">{t('site.exampleText', numbers)}</p>
    </section>
  );
}
