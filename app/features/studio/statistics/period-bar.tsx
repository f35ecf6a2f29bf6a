import { NativeSelect, TextInput } from '@mantine/core';
import { Button } from '~/app/components/button';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { periodText } from './dates';
import {
  METRIC_FILTERS,
  type MetricParam,
  type MetricQuery,
  PRESETS,
  presetOf,
  presetStart,
  withMetric,
} from './metric-query';
import classes from './statistics.module.css';
import { firstShown, type StatisticsView } from './view';

export type FilterChoice = { value: string; label: string };

type Props = {
  view: StatisticsView;
  query: MetricQuery;
  /** What can be filtered; none on pages that can't. */
  filters: { country: FilterChoice[]; app: FilterChoice[] } | null;
  /** All time zones are offered on demand, because few readers want another one. */
  zones: { choices: FilterChoice[]; hasAll: boolean };
  /** Why the chosen period is not shown. */
  problem: string | null;
};

/** The period, its steps and the filters, all of them in the address. */
export function PeriodBar({ view, query, filters, zones, problem }: Props) {
  const { t, locale } = useTranslation('statistics');
  const { period } = view;
  const known = { today: view.today, since: firstShown(view) };
  const preset = presetOf(period, known);
  return (
    <div className={classes.bar}>
      <div className={classes.choices}>
        <nav className={classes.segments} aria-label={t('period.label')}>
          {PRESETS.map((name) => (
            <Link
              key={name}
              to={withMetric(query, { from: presetStart(name, known), to: null, granularity: null })}
              aria-current={name === preset ? 'true' : undefined}
              preventScrollReset
            >
              {t(`period.${name}`)}
            </Link>
          ))}
        </nav>
        <nav className={classes.segments} aria-label={t('granularity.label')}>
          {(['day', 'week', 'month'] as const).map((granularity) => (
            <Link
              key={granularity}
              to={withMetric(query, { granularity })}
              aria-current={granularity === period.granularity ? 'true' : undefined}
              preventScrollReset
            >
              {t(`granularity.${granularity}`)}
            </Link>
          ))}
        </nav>
      </div>
      <p className={classes.shown}>{periodText(t, period, locale)}</p>
      {filters && <Chips query={query} filters={filters} />}
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      <details className={classes.more} open={problem !== null || zones.hasAll}>
        <summary>{t(filters ? 'form.open' : 'form.openPeriod')}</summary>
        <Choices {...{ view, query, filters, zones }} />
      </details>
    </div>
  );
}

/** The filters that are set, each with a link that removes it. */
function Chips({ query, filters }: { query: MetricQuery; filters: NonNullable<Props['filters']> }) {
  const { t } = useTranslation('statistics');
  const set = METRIC_FILTERS.filter((name) => query[name]);
  if (set.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={t('filter.label')}>
      {set.map((name) => {
        const label = filters[name].find(({ value }) => value === query[name])?.label ?? query[name] ?? '';
        return (
          <li key={name}>
            <Link
              to={withMetric(query, { [name]: null })}
              preventScrollReset
              aria-label={t('filter.remove', { name: label })}
            >
              {label} <span aria-hidden="true">×</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** A form that works without JavaScript. */
function Choices({ view, query, filters, zones }: Omit<Props, 'problem'>) {
  const { t } = useTranslation('statistics');
  const { period, today } = view;
  // other pages of the same show keep the form: its fields follow the address
  const shown = JSON.stringify([query, period]);
  return (
    <Form key={shown} method="get" className={classes.form} preventScrollReset>
      <TextInput type="date" name="from" label={t('form.from')} defaultValue={period.from} max={today} />
      <TextInput type="date" name="to" label={t('form.to')} defaultValue={period.to} max={today} />
      <Hidden name="granularity" value={query.granularity} />
      {filters &&
        METRIC_FILTERS.map((name) => (
          <NativeSelect
            key={name}
            name={name}
            label={t(`dimension.${name}One`)}
            defaultValue={query[name] ?? ''}
            data={[{ value: '', label: t(`filter.all.${name}`) }, ...filters[name]]}
          />
        ))}
      <NativeSelect name="zone" label={t('form.zone')} defaultValue={period.zone} data={zones.choices} />
      <Button type="submit" variant="default">
        {t('form.apply')}
      </Button>
      {!zones.hasAll && (
        <Link to={`${withMetric(query, {})}&zones=all`} preventScrollReset>
          {t('form.allZones')}
        </Link>
      )}
    </Form>
  );
}

function Hidden({ name, value }: { name: MetricParam; value: string | undefined }) {
  return value === undefined ? null : <input type="hidden" name={name} value={value} />;
}
