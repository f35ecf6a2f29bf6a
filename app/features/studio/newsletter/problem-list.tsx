import { Alert } from '~/app/components/alert';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { EditionProblem } from '~/server/domain/newsletter/preview-edition';
import classes from './newsletter.module.css';

/** `textPath` is the page where the edition's text is edited. */
type Props = { problems: EditionProblem[]; textPath: string };

/** What the checks have found in an edition: first what keeps it from being sent, then what to look at again. */
export function ProblemList({ problems, textPath }: Props) {
  const { t } = useTranslation('editions');
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  if (problems.length === 0) return <p className={classes.fact}>{t('review.ready')}</p>;
  return (
    <>
      {errors.length > 0 && (
        <Alert color="red" variant="light" title={t('review.mustFix')}>
          <Problems problems={errors} textPath={textPath} />
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" title={t('review.problems')}>
          <Problems problems={warnings} textPath={textPath} />
        </Alert>
      )}
    </>
  );
}

function Problems({ problems, textPath }: Props) {
  const { t } = useTranslation('editions');
  const { newsletterSettings } = usePaths();
  return (
    <ul>
      {problems.map(({ code, text }) => (
        <li key={text} dir="auto">
          {text} <Link to={code === 'no_footer' ? newsletterSettings : textPath}>{t('review.fix')}</Link>
        </li>
      ))}
    </ul>
  );
}
