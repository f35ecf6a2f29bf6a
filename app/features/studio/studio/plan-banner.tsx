import { Button } from '~/app/components/button';
import { planName } from '~/app/features/studio/plans/plan-names';
import classes from '~/app/features/studio/plans/plans.module.css';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { ContactButton } from './contact-button';
import type { ExceededLimit } from './use-exceeded-limits';

/** States which plan limit is exceeded, until the user hides it for the month (spec §8). */
export function PlanBanner({ exceeded }: { exceeded: ExceededLimit[] }) {
  const { t } = useTranslation('plans');
  const paths = usePaths();
  const { plan } = exceeded[0]!;
  return (
    <section className={classes.banner} aria-label={t('banner.label')}>
      <p>
        {exceeded
          .map(({ name, used, limit }) => t(`limit.what.${name}`, { used, limit, plan: planName(plan) }))
          .join(' ')}{' '}
        {t('banner.safe')}
      </p>
      <div>
        {plan === 'PLUS' || plan === 'ULTRA' ? (
          <ContactButton>{t('banner.contact')}</ContactButton>
        ) : (
          <Button component={Link} to={paths.plans} size="compact-md">
            {t('banner.choose')}
          </Button>
        )}
        <Form method="post" action={paths.plans}>
          <Button type="submit" name="intent" value="hide_banner" variant="subtle" color="gray" size="compact-md">
            {t('banner.hide')}
          </Button>
        </Form>
      </div>
    </section>
  );
}
