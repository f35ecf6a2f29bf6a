import { useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import { Button } from './button';
import classes from './file-drop.module.css';
import { UploadIcon } from './line-icons';

type Props = {
  name: string;
  accept: string;
  id?: string;
  labelledBy?: string;
  describedBy?: string;
  required?: boolean;
};

/**
 * A file that is sent with its form. The browser's own input covers the zone, so it takes clicks, keys and dropped
 * files; without JavaScript it is all that shows.
 */
export function FileDrop({ labelledBy, describedBy, ...input }: Props) {
  const { t } = useTranslation('studio');
  const [fileName, setFileName] = useState('');
  return (
    <div className={classes.zone}>
      <span className={classes.words} aria-hidden="true">
        <UploadIcon />
        <strong>{fileName || t('fileDrop.here')}</strong>
        <Button component="span" variant="default">
          {t(fileName ? 'fileDrop.other' : 'fileDrop.pick')}
        </Button>
      </span>
      <input
        {...input}
        type="file"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        onChange={({ currentTarget: { files } }) => setFileName(files?.[0]?.name ?? '')}
      />
    </div>
  );
}
