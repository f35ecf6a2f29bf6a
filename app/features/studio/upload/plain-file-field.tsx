import { FileDrop } from '~/app/components/file-drop';
import { useField } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { purposeOfField } from '~/server/domain/media/rules';
import classes from './upload.module.css';

type Props = { name: string; accept: string; help: string };

/**
 * The file input for browsers without JavaScript, which send the file with the form. After a failed submission, the
 * form keeps the uploaded file.
 */
export function PlainFileField({ name, accept, help }: Props) {
  const { t } = useTranslation('studio');
  const { value } = useField(name);
  if (!purposeOfField(name)) return null;
  return (
    <noscript>
      <div className={classes.plain}>
        {value && <p role="status">{t('plainFile.kept')}</p>}
        <FileDrop name={name} accept={accept} labelledBy={`${name}-label`} />
        <p>{help}</p>
      </div>
    </noscript>
  );
}
