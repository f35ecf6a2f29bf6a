import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
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
    <div className={classes.page}>
      <p className={classes.text} aria-live="polite">
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
      <p className={classes.soft}>{t('wait')}</p>
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

/** What an import has changed, and the rows that brought no contact. */
export function ImportResult({ found, problems, reason, page }: Props) {
  const { t, locale } = useTranslation('contact-import');
  const { id, added, changed, suppressed, leftOut } = found;
  const facts = Object.entries({ added, changed, suppressed }).filter(([, count]) => count > 0);
  const number = (value: number) => formatNumber(value, locale);
  return (
    <div className={classes.page}>
      {reason && <p className={classes.problem}>{reason}</p>}
      {!reason && facts.length === 0 && leftOut === 0 && <p className={classes.text}>{t('result.nothing')}</p>}
      <ul className={classes.facts}>
        {facts.map(([name, count]) => (
          <li key={name}>{t(`result.${name}`, { count, number: number(count) })}</li>
        ))}
      </ul>
      {leftOut > 0 && (
        <Section title={t('result.leftOut', { count: leftOut, number: number(leftOut) })}>
          <ul className={classes.rows}>
            {problems.map(({ line, text, fault }) => (
              <li key={line}>
                {t('line', { number: number(line) })}: <bdi>{text}</bdi>{' '}
                <span className={classes.soft}>{t(`reason.${fault}`)}</span>
              </li>
            ))}
          </ul>
          <a href={`${page}/${id}.csv`} download>
            {t('download')}
          </a>
        </Section>
      )}
      <div>
        <Button component={Link} to={`${page}?new`} variant="default">
          {t('another')}
        </Button>
      </div>
    </div>
  );
}
