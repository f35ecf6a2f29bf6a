import { Button } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { CustomField } from '~/app/components/fields';
import { useFieldSetters, useFormState } from '~/app/components/form-context';
import { UploadIcon } from '~/app/features/studio/icons';
import { useTranslation } from '~/app/lib/translation';
import { audioFault, nameFromFile } from './file-faults';
import { TransferPanel } from './transfer-panel';
import classes from './upload.module.css';
import { useFileDrop } from './use-file-drop';
import { useLocalAddress } from './use-local-address';
import type { FieldUpload } from './use-upload';

type Props = {
  name: string;
  upload: FieldUpload;
  label: string;
  help: string /** A text field that the file's name proposes a value for, as long as it is empty. */;
  proposes?: string;
};

/** The MP3 of an episode: picked, or dropped anywhere on the page. It is on its way at once, while the form is filled in. */
export function AudioField({ name, upload, label, help, proposes = '' }: Props) {
  const { t } = useTranslation('episode');
  const { t: say } = useTranslation('errors');
  const { values } = useFormState();
  const { set, fault } = useFieldSetters(name);
  const { set: propose } = useFieldSetters(proposes);
  const picker = useRef<HTMLInputElement>(null);
  const pickerId = useId();
  const { transfer } = upload;

  function take(file: File) {
    const found = audioFault(file);
    if (found) return fault(say(found));
    set('');
    if (proposes && !values[proposes]) propose(nameFromFile(file.name));
    upload.start(file);
  }
  const above = useFileDrop(take);

  const { key } = transfer;
  useEffect(() => set(key ?? ''), [key, set]);

  const local = useLocalAddress(transfer.file);
  return (
    <CustomField name={name} label={label} help={help}>
      <input type="hidden" name={name} value={transfer.key ?? ''} />
      <input
        ref={picker}
        id={pickerId}
        type="file"
        accept=".mp3,audio/mpeg"
        className="hidden-visually"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) take(file);
          event.currentTarget.value = '';
        }}
      />
      {transfer.phase === 'idle' ? (
        <div className={classes.drop} data-needs-script>
          <UploadIcon />
          <p>
            <strong>{t('file.drop')}</strong>
            <span>{t('file.limits')}</span>
          </p>
          <Button type="button" variant="default" onClick={() => picker.current?.click()}>
            {t('file.pick')}
          </Button>
        </div>
      ) : (
        <TransferPanel upload={upload} onPick={() => picker.current?.click()} />
      )}
      {local && (
        <div className={classes.listen}>
          <span>{t('file.listen')}</span>
          {/* biome-ignore lint/a11y/useMediaCaption: the creator's own recording, before it is published */}
          <audio controls src={local} preload="metadata" />
        </div>
      )}
      {above && (
        <div className={classes.veil} aria-hidden="true">
          <UploadIcon />
          {t('file.dropHere')}
        </div>
      )}
    </CustomField>
  );
}
