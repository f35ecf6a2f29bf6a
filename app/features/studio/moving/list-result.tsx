import { Button } from '~/app/components/button';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ProblemLine, SubscriberImportView } from '~/server/domain/moving/subscriber-imports/queries';
import { Outcomes } from './list-report';
import classes from './moving.module.css';
import { OldPrivateFeeds } from './old-private-feeds';
import { ProblemLines } from './problem-lines';

type Props = { found: SubscriberImportView; problems: ProblemLine[]; reason: string | null; appUrl: string };

/** The result of an import. `reason`: a sentence that says why it failed. */
export function ListResult({ found, problems, reason, appUrl }: Props) {
  const { t } = useTranslation('moving');
  const paths = usePaths();
  const { status, done, failed, show } = found;
  return (
    <div className={classes.page}>
      {status === 'done' && <p className={classes.good}>{t('people.doneText', { count: done })}</p>}
      {failed > 0 && <p className={classes.text}>{t('people.failedLines', { count: failed })}</p>}
      {status === 'cancelled' && <p className={classes.text}>{t('people.cancelledText')}</p>}
      {reason && (
        <p className={classes.text} role="alert">
          {reason}
        </p>
      )}
      {status === 'done' && <Outcomes found={found} />}
      {status === 'done' && <ProblemLines found={found} problems={problems} />}
      {status === 'done' && found.withOldFeed > 0 && <OldPrivateFeeds show={show} appUrl={appUrl} />}
      <div className={classes.buttons}>
        {done > 0 && (
          <Button component={Link} to={paths.buyers(show)}>
            {t('people.seeList')}
          </Button>
        )}
        <Button component={Link} to="?new=1" variant="default">
          {t('people.another')}
        </Button>
      </div>
    </div>
  );
}
