import { Alert } from '~/app/components/alert';
import { useTranslation } from '~/app/lib/translation';
import type { EditionProblem } from '~/server/domain/newsletter/preview-edition';
import classes from './newsletter.module.css';

/** What the checks have found in an edition. Nothing of it keeps anybody from sending. */
export function ProblemList({ problems }: { problems: EditionProblem[] }) {
  const { t } = useTranslation('editions');
  if (problems.length === 0) return <p className={classes.fact}>{t('review.ready')}</p>;
  return (
    <Alert color="yellow" variant="light" title={t('review.problems')}>
      <ul>
        {problems.map((problem) => (
          <li key={problem.text} dir="auto">
            {problem.text}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
