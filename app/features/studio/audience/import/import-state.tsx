import { Button } from '~/app/components/button';
import parts from '~/app/components/file-page.module.css';
import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import type { ContactImportView, listImportProblems } from '~/server/domain/audience/contact-imports';
import classes from './import.module.css';

/** The progress of an import. It continues if the page is closed. */
export function ImportProgress({ found }: { found: ContactImportView }) {
  const { t, locale } = useTranslation('contact-import');
  const { status, rows, merged } = found;
  const number = (value: number) => formatNumber(value, locale);
  return (
    <div className={parts.page}>
      <p className={parts.text} aria-live="polite">
        {status === 'reading'
          ? t('progress.read', { number: number(rows) })
          : t('progress.merged', { number: number(merged), total: number(rows) })}
      </p>
      <progress
        className={classes.bar}
        value={status === 'reading' ? undefined : merged}
        max={Math.max(rows, 1)}
        aria-label={t('title')}
      />
      <p className={parts.soft}>{t('wait')}</p>
      <noscript>
        <Link to="" reloadDocument>
          {t('refresh')}
        </Link>
      </noscript>
    </div>
  );
}

type Problems = Awaited<ReturnType<typeof listImportProblems>>;
type Props = { found: ContactImportView; problems: Problems; reason: string | null; page: string };

/** Whether the file had nothing new. */
export const broughtNothing = ({ status, added, changed, suppressed }: ContactImportView): boolean =>
  status === 'done' && added + changed + suppressed === 0;

/** What an import has changed, and the rows that brought no contact or lost their date. */
export function ImportResult({ found, problems, reason, page }: Props) {
  const { t, locale } = useTranslation('contact-import');
  const { id, rows, added, changed, suppressed, leftOut, undated } = found;
  const unchanged = reason ? 0 : Math.max(0, rows - added - changed - suppressed - leftOut);
  const facts = Object.entries({ added, changed, suppressed, unchanged, leftOut, undated }).filter(
    ([, count]) => count > 0,
  );
  const paths = usePaths();
  const number = (value: number) => formatNumber(value, locale);
  return (
    <div className={parts.page}>
      {reason && <p className={parts.problem}>{reason}</p>}
      <ul className={parts.facts}>
        {facts.map(([name, count]) => (
          <li key={name}>{t(`result.${name}`, { count, number: number(count) })}</li>
        ))}
      </ul>
      {leftOut + undated > 0 && (
        <Section title={t('report')}>
          <p className={parts.soft}>{t('report.how')}</p>
          <ul className={classes.rows}>
            {problems.map(({ line, text, fault }) => (
              <li key={line}>
                {t('line', { number: number(line) })}: <bdi>{text}</bdi>{' '}
                <span className={parts.soft}>{t(`reason.${fault}`)}</span>
              </li>
            ))}
          </ul>
          <a href={`${page}/${id}.csv`} download>
            {t('download')}
          </a>
        </Section>
      )}
      <div className={parts.buttons}>
        <Button component={Link} to={paths.audience}>
          {t('see')}
        </Button>
        <Button component={Link} to={`${page}?new`} variant="default">
          {t('another')}
        </Button>
      </div>
    </div>
  );
}
