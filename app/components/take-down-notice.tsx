import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import type { TakeDown } from '~/db/values/take-downs';
import { Alert } from './alert';

type Props = { of: 'show' | 'episode'; takeDown: TakeDown };

/** Tells the team what was taken down, on which ground, why, and how to object. */
export function TakeDownNotice({ of, takeDown }: Props) {
  const { t } = useTranslation('studio');
  const paths = usePaths();
  return (
    <Alert color="red" variant="light" title={t(`takeDown.${of}`)} my={12}>
      <p>{t(`takeDown.${takeDown.ground}`)}</p>
      <p dir="auto">{t('takeDown.reason', { reason: takeDown.reason })}</p>
      <p>
        {t('takeDown.object')} <a href={paths.contact}>{t('takeDown.contact')}</a>
      </p>
    </Alert>
  );
}
