import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import type { ProblemLine, SubscriberImportView } from '~/server/domain/moving/subscriber-imports/queries';
import classes from './moving.module.css';

/** The first lines that can't be imported, and a file with all of them. */
export function ProblemLines({ found, problems }: { found: SubscriberImportView; problems: ProblemLine[] }) {
  const { t } = useTranslation('moving');
  const paths = usePaths();
  if (problems.length === 0) return null;
  return (
    <Section title={t('people.problems')}>
      <p className={classes.text}>
        <a href={`${paths.importSubscribers(found.show)}/${found.id}.csv`} download>
          {t('people.download')}
        </a>
      </p>
      <details>
        <summary>{t('people.problemsFirst', { count: problems.length })}</summary>
        <ul className={classes.shows}>
          {problems.map(({ line, email, name, reason }) => (
            <li key={line}>
              <span>
                {t('people.line', { line })}: <bdi>{email || name}</bdi>
              </span>
              <span className={classes.soft}>{t(`reason.${reason ?? 'failed'}`)}</span>
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}
