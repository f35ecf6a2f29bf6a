import { IntentButton } from '~/app/components/intent-button';
import classes from '~/app/features/studio/plans/plans.module.css';
import { usePaths } from '~/app/lib/paths';
import { useFetcher } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Announcement } from '~/server/domain/reference/announcements';

/** The operators' announcements to all users. Each user can hide them. */
export function Announcements() {
  const { announcements } = useStudio();
  return announcements.map((announcement) => <Banner key={announcement.id} announcement={announcement} />);
}

function Banner({ announcement: { id, text, level, link } }: { announcement: Announcement }) {
  const { t } = useTranslation('studio');
  const paths = usePaths();
  // keeps the page where it is; without JavaScript, the start page opens
  const fetcher = useFetcher();
  return (
    <section className={classes.banner} data-level={level} aria-label={t('announcement.label')}>
      <p>
        <bdi>{text}</bdi>{' '}
        {link && (
          <a href={link} target="_blank" rel="noreferrer">
            {t('announcement.more')}
          </a>
        )}
      </p>
      <div>
        <fetcher.Form method="post" action={`${paths.dashboard}?index`}>
          <input type="hidden" name="id" value={id} />
          <IntentButton intent="dismiss">{t('announcement.hide')}</IntentButton>
        </fetcher.Form>
      </div>
    </section>
  );
}
