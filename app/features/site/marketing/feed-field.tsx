import { useId } from 'react';
import { useTranslation } from '~/app/lib/translation';

/** Of a field for the address of a feed. */
export const FEED_INPUT = {
  name: 'url',
  inputMode: 'url',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  placeholder: 'https://',
  required: true,
} as const;

/** The address of a feed in a plain form. */
export function FeedField() {
  const { t } = useTranslation('marketing');
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{t('paste.field')}</label>
      <input className="input" id={id} {...FEED_INPUT} />
    </div>
  );
}
