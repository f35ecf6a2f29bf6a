import { usePaths } from '~/app/lib/paths';
import { Form, useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { ChevronDownIcon } from '../../../components/line-icons';
import { useStudio } from '../../../lib/studio-context';
import classes from './shell.module.css';

/** Shows which creator the user works for, and switches between creators. Renders nothing for users with only one. */
export function CreatorSwitcher() {
  const { t } = useTranslation('team');
  const { user, workplaces } = useStudio();
  const paths = usePaths();
  const { pathname } = useLocation();
  if (workplaces.length < 2) return null;
  return (
    <details className={classes.workplaces} key={pathname}>
      <summary className={classes.link}>
        <span>
          <span className={classes.small}>{t('switch.label')}</span>
          {user.creator?.name}
        </span>
        <ChevronDownIcon />
      </summary>
      {/* a new document discards the drafts and lists of the other page */}
      <Form method="post" action={paths.team} reloadDocument aria-label={t('switch.to')}>
        <input type="hidden" name="intent" value="switch" />
        {workplaces.map(({ creatorId, name, role, isCurrent }) => (
          <button
            key={creatorId}
            type="submit"
            name="creatorId"
            value={creatorId}
            className={classes.link}
            aria-current={isCurrent ? 'true' : undefined}
          >
            <span>
              {isCurrent ? t('switch.current', { name }) : name}
              <span className={classes.small}>{t(`role.${role}`)}</span>
            </span>
          </button>
        ))}
      </Form>
    </details>
  );
}
