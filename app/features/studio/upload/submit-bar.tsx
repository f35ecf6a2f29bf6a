import { Button } from '~/app/components/button';
import { useFormState } from '~/app/components/form-context';
import { SubmitButton } from '~/app/components/submit-button';
import { useTranslation } from '~/app/lib/translation';
import classes from './upload.module.css';
import { totalPercent, type UploadWait, useSubmitWhenUploaded } from './use-upload-wait';

type Props = { wait: UploadWait; label: string };

/** The form's submit button, which stays in view. During an upload, it waits for the files and shows the progress. */
export function SubmitBar({ wait, label }: Props) {
  const { t } = useTranslation('studio');
  const { values } = useFormState();
  useSubmitWhenUploaded(wait, values);
  const { waiting, underway, transfers, stopWaiting } = wait;
  const note = waiting ? t('wait.progress', { percent: totalPercent(transfers) }) : t('wait.duringUpload');
  return (
    <div className={classes.submit}>
      {waiting ? (
        <Button type="button" loading>
          {label}
        </Button>
      ) : (
        <SubmitButton>{label}</SubmitButton>
      )}
      <span role="status">{underway.length > 0 && note}</span>
      {waiting && (
        <Button type="button" variant="subtle" color="gray" onClick={stopWaiting}>
          {t('wait.stop')}
        </Button>
      )}
    </div>
  );
}
