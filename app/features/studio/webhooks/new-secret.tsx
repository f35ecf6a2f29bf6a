import { useEffect, useRef } from 'react';
import { CopyButton } from '~/app/components/copy-button';
import { useTranslation } from '~/app/lib/translation';
import classes from './webhooks.module.css';

/** The only time at which the secret is shown. */
export function NewSecret({ secret }: { secret: string }) {
  const { t } = useTranslation('webhooks');
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, [secret]);
  return (
    <section role="status" className={classes.secret} ref={box} tabIndex={-1}>
      <h2 className={classes.title}>{t('secret.title')}</h2>
      <p>{t('secret.text')}</p>
      <p className={classes.address}>
        <code>{secret}</code>
      </p>
      <CopyButton text={secret} label={t('secret.copy')} done={t('secret.copied')} />
    </section>
  );
}
