import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { PlainCheckField } from './plain-fields';

/** The consent to keep the card of a single payment. It is never ticked in advance, because it must be the buyer's own. */
export function SaveCardField({ isGuest }: { isGuest: boolean }) {
  const { t } = useTranslation('buying');
  const { paymentMethods } = usePaths();
  const help = (
    <>
      {t(isGuest ? 'saveCard.helpGuest' : 'saveCard.help')}{' '}
      <a href={paymentMethods} target="_blank" rel="noopener">
        {t('saveCard.page')}
      </a>
      .
    </>
  );
  return <PlainCheckField name="saveCard" label={t('saveCard.label')} help={help} />;
}
