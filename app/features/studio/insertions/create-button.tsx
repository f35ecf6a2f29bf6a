import { Button } from '~/app/components/button';
import { showPlanLimit } from '~/app/components/plan-limit';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

type Props = { to: string; isOffered: boolean };

/** Opens the form of a new campaign, or the pop-up about plans. Without JavaScript, it opens the page of the plans. */
export function CreateButton({ to, isOffered }: Props) {
  const { t } = useTranslation('campaigns');
  const { t: tError } = useTranslation('errors');
  const paths = usePaths();
  if (isOffered)
    return (
      <Button component={Link} to={to}>
        {t('create')}
      </Button>
    );
  return (
    <Button
      component={Link}
      to={paths.plans}
      onClick={(event) => {
        event.preventDefault();
        showPlanLimit(tError('plan.insertions_required'));
      }}
    >
      {t('create')}
    </Button>
  );
}
