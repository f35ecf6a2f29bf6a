import { useState } from 'react';
import { Button } from './button';
import classes from './file-drop.module.css';
import { UploadIcon } from './line-icons';

type Props = {
  id: string;
  name: string;
  accept: string;
  texts: { drop: string; pick: string; other: string };
  describedBy?: string;
};

/**
 * A file that is sent with its form. The browser's own input covers the zone, so it takes clicks, keys and dropped
 * files; without JavaScript it is all that shows.
 */
export function FileDrop({ id, name, accept, texts, describedBy }: Props) {
  const [fileName, setFileName] = useState('');
  return (
    <div className={classes.zone}>
      <span className={classes.words} aria-hidden="true">
        <UploadIcon />
        <strong>{fileName || texts.drop}</strong>
        <Button component="span" variant="default">
          {fileName ? texts.other : texts.pick}
        </Button>
      </span>
      <input
        id={id}
        type="file"
        name={name}
        accept={accept}
        required
        aria-describedby={describedBy}
        onChange={({ currentTarget: { files } }) => setFileName(files?.[0]?.name ?? '')}
      />
    </div>
  );
}
