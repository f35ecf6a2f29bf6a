import { useEffect, useRef } from 'react';
import { Button } from '~/app/components/button';
import { CopyButton } from '~/app/components/copy-button';
import { useTranslation } from '~/app/lib/translation';
import classes from './settings.module.css';

/** New recovery codes. Users can't see them again, so they can print, copy or download them. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const { t } = useTranslation('account');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (codes.length > 0) box.current?.focus();
  }, [codes]);
  const text = `${t('recovery.file')}\n\n${codes.join('\n')}\n`;
  return (
    <div className={`${classes.box} ${classes.codes}`} ref={box} tabIndex={-1} role="status">
      <p className={classes.name}>
        <strong>{t('recovery.new')}</strong>
      </p>
      <p className={classes.name}>{t('recovery.keep')}</p>
      <ul className={classes.codeList}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={classes.codeActions}>
        <Button
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="altavoz-recovery-codes.txt"
          variant="default"
          size="compact-md"
        >
          {t('recovery.download')}
        </Button>
        <CopyButton text={text} label={t('recovery.copy')} done={t('app.copied')} />
        <Button type="button" variant="default" size="compact-md" data-needs-script onClick={() => window.print()}>
          {t('recovery.print')}
        </Button>
      </div>
    </div>
  );
}
