import { Button } from '~/app/components/button';
import { CopyButton } from '~/app/components/copy-button';
import pageClasses from '~/app/components/page-header.module.css';
import { useTranslation } from '~/app/lib/translation';
import classes from './start.module.css';

/** The address of the creator page, to copy and to open. Without JavaScript, one click selects it. */
export function PageAddress({ url }: { url: string }) {
  const { t } = useTranslation('start');
  const { t: tStudio } = useTranslation('studio');
  return (
    <>
      <p className={classes.address}>{url}</p>
      <div className={pageClasses.actions}>
        <CopyButton text={url} label={t('page.copy')} done={tStudio('copied')} />
        <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default" size="compact-md">
          {t('page.open')}
        </Button>
      </div>
    </>
  );
}
