import { useEffect, useRef } from 'react';
import { CopyButton } from '~/app/components/copy-button';
import { useTranslation } from '~/app/lib/translation';
import classes from './developers.module.css';

/** A new key, which its owner sees only now. */
export function CreatedKey({ value }: { value: string }) {
  const { t } = useTranslation('developers');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, [value]);
  return (
    <div className={classes.created} ref={box} tabIndex={-1} role="status">
      <p className={classes.name}>
        <strong>{t('created.title')}</strong>
      </p>
      <p className={classes.fact}>{t('created.text')}</p>
      <code className={classes.secret}>{value}</code>
      <CopyButton text={value} label={t('created.copy')} done={t('created.copied')} />
    </div>
  );
}
