import { Button } from '~/app/components/button';
import pageClasses from '~/app/components/page-header.module.css';
import { SubmitButton } from '~/app/components/submit-button';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** Buttons to continue, or to postpone the step. */
export function StepButtons({ skipTo }: { skipTo: string }) {
  const { t } = useTranslation('start');
  return (
    <div className={pageClasses.actions}>
      <SubmitButton>{t('save')}</SubmitButton>
      <Button component={Link} to={skipTo} variant="subtle" color="gray">
        {t('skip')}
      </Button>
    </div>
  );
}
