import { useTranslation } from '~/app/lib/translation';
import { SKIP_REASONS } from '~/db/values/automations';
import { formatNumber } from '~/server/base/formats';
import type { StepCounts } from '~/server/domain/newsletter/list-automations';
import classes from './newsletter.module.css';

const ALWAYS = ['waiting', 'sent', 'opens', 'clicks', 'bounced', 'unsubscribed'] as const;
const IF_ANY = ['complained', 'failed', 'unknown'] as const;

/** What became of a step's emails, without a person. */
export function StepFigures({ counts }: { counts: StepCounts }) {
  const { t, locale } = useTranslation('automations');
  const figures = [
    ...ALWAYS.map((name) => ({ label: t(`count.${name}`), count: counts[name] })),
    ...IF_ANY.filter((name) => counts[name] > 0).map((name) => ({ label: t(`count.${name}`), count: counts[name] })),
    ...SKIP_REASONS.filter((reason) => counts.skipped[reason] > 0).map((reason) => ({
      label: t(`skipped.${reason}`),
      count: counts.skipped[reason],
    })),
  ];
  return (
    <dl className={classes.counts}>
      {figures.map(({ label, count }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatNumber(count, locale)}</dd>
        </div>
      ))}
    </dl>
  );
}
