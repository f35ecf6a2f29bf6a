import './status.css';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { BARS } from './status-bars';
import type { StatusView } from './status-data.server';

/** What works now, the last 90 days of each component, and the incidents. */
export function StatusPage({ view }: { view: StatusView }) {
  const { t } = useTranslation('status');
  const { now, checkedAt, components, days, incidents, links, feed } = view;
  return (
    <SiteShell links={links}>
      <div className="wrap faq status">
        <h1>{t('title')}</h1>
        <p className={`lead status-now ${now.kind}`}>{now.text}</p>
        <p className="muted">
          {checkedAt && `${t('checked', { at: checkedAt })} `}
          {t('times')}
        </p>
        {components.length > 0 && <Components components={components} days={days} />}
        <section aria-labelledby="incidents">
          <h2 id="incidents">{t('incidents')}</h2>
          {incidents.length === 0 && <p>{t('incidents.none')}</p>}
          {incidents.map((incident) => (
            <IncidentText key={incident.id} incident={incident} />
          ))}
          <p className="muted small">
            <a href={feed}>{t('incidents.feed')}</a>
          </p>
        </section>
        <Reading minutes={view.minutes} />
      </div>
    </SiteShell>
  );
}

function Components({ components, days }: Pick<StatusView, 'components' | 'days'>) {
  const { t } = useTranslation('status');
  return (
    <section aria-labelledby="components">
      <h2 id="components">{t('components', { count: days })}</h2>
      <ul className="status-legend muted small">
        {(['passed', 'failed', 'gap'] as const).map((kind) => (
          <li key={kind} className={kind}>
            {t(`legend.${kind}`)}
          </li>
        ))}
      </ul>
      {components.map((component) => (
        <Component key={component.component} component={component} />
      ))}
    </section>
  );
}

function Component({ component }: { component: StatusView['components'][number] }) {
  const { t } = useTranslation('status');
  const { kind, name, state, what, shares, label, bars, from, days } = component;
  return (
    <article className="status-part">
      <h3>{name}</h3>
      <p className={`status-now ${kind}`}>{state}</p>
      <p className="muted small">{what}</p>
      {/* the label says what the bars show, and the list below has their days */}
      <svg role="img" aria-label={label} viewBox={`0 0 ${bars.width} ${BARS.height}`} preserveAspectRatio="none">
        <path className="ground" d={`M0 ${BARS.height}h${bars.width}`} />
        <path className="passed" d={bars.passed} />
        <path className="failed" d={bars.failed} />
      </svg>
      <p className="status-ends muted small" aria-hidden="true">
        <span>{from}</span>
        <span>{t('last')}</span>
      </p>
      <p>{shares}</p>
      {days.length > 0 && (
        <details>
          <summary>{t('days')}</summary>
          <ul>
            {days.map(({ day, date, text }) => (
              <li key={day}>
                <time dateTime={day}>{date}</time>: {text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

function IncidentText({ incident }: { incident: StatusView['incidents'][number] }) {
  const { id, isOpen, severity, title, period, concerns, updates } = incident;
  return (
    <article id={`incident-${id}`} className="status-part">
      <h3>{title}</h3>
      <p className={isOpen ? 'status-now failing' : 'muted'}>{`${period} · ${severity}`}</p>
      {concerns && <p className="muted small">{concerns}</p>}
      <ol className="status-updates">
        {updates.map(({ at, time, paragraphs }, i) => (
          // several texts may have the same time, and their order never changes
          <li key={`${at} ${i}`} id={`incident-${id}-${i + 1}`}>
            <time className="muted small" dateTime={at}>
              {time}
            </time>
            {paragraphs.map((text, number) => (
              <p key={`${number} ${text}`}>{text}</p>
            ))}
          </li>
        ))}
      </ol>
    </article>
  );
}

/** What the checks can't see, too. */
function Reading({ minutes }: Pick<StatusView, 'minutes'>) {
  const { t } = useTranslation('status');
  const paths = useSitePaths();
  return (
    <section aria-labelledby="reading">
      <h2 id="reading">{t('reading.title')}</h2>
      <p>{t('reading.checks', { count: minutes })}</p>
      <p>{t('reading.away')}</p>
      <p>{t('reading.inside')}</p>
      <p>
        <Link to={paths.contact}>{t('reading.contact')}</Link>
      </p>
    </section>
  );
}
