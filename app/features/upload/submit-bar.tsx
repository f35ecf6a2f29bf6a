import { Button } from '@mantine/core';
import { useFormState } from '~/app/components/form-context';
import { SubmitButton } from '~/app/components/submit-button';
import { useTranslation } from '~/app/lib/translation';
import classes from './upload.module.css';
import { totalPercent, type UploadWait, useSubmitWhenUploaded } from './use-upload-wait';

type Props = { wait: UploadWait; label: string; needsScript?: boolean };

/** The button that submits the form, always in view. During an upload it waits for the files and shows the progress. */
export function SubmitBar({ wait, label, needsScript }: Props) {
  const { t } = useTranslation('studio');
  const { values } = useFormState();
  useSubmitWhenUploaded(wait, values);
  const { waiting, underway, transfers, stopWaiting } = wait;
  return (
    <div className={classes.submit} role="status" data-needs-script={needsScript}>
      {waiting ? (
        <>
          <Button type="button" loading>
            {label}
          </Button>
          <span>{t('wait.progress', { percent: totalPercent(transfers) })}</span>
          <Button type="button" variant="subtle" color="gray" onClick={stopWaiting}>
            {t('wait.stop')}
          </Button>
        </>
      ) : (
        <>
          <SubmitButton>{label}</SubmitButton>
          {underway.length > 0 && <span>{t('wait.duringUpload')}</span>}
        </>
      )}
    </div>
  );
}
