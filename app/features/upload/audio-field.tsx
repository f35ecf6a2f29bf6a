import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { CustomField } from '~/app/components/fields';
import { useFilePicker } from '~/app/components/file-picker';
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
  help: string;
  /** A text field that the file's name proposes a value for, as long as it is empty. */
  proposes?: string;
};

/** The MP3 of an episode: picked, or dropped anywhere on the page. It is on its way at once, while the form is filled in. */
export function AudioField({ name, upload, label, help, proposes = '' }: Props) {
  const { t: say } = useTranslation('errors');
  const { values } = useFormState();
  const { set, fault } = useFieldSetters(name);
  const { set: propose } = useFieldSetters(proposes);
  const { key, phase, file: picked } = upload.transfer;

  function take(file: File) {
    const found = audioFault(file);
    if (found) return fault(say(found));
    set('');
    if (proposes && !values[proposes]) propose(nameFromFile(file.name));
    upload.start(file);
  }
  const above = useFileDrop(take);
  const picker = useFilePicker('.mp3,audio/mpeg', label, take);
  useEffect(() => set(key ?? ''), [key, set]);

  return (
    <CustomField name={name} label={label} help={help}>
      <input type="hidden" name={name} value={key ?? ''} />
      {picker.input}
      {phase === 'idle' ? <Invitation onPick={picker.open} /> : <TransferPanel upload={upload} onPick={picker.open} />}
      {picked && <ListenBefore file={picked} />}
      {above && <DropVeil />}
    </CustomField>
  );
}

function Invitation({ onPick }: { onPick: () => void }) {
  const { t } = useTranslation('episode');
  return (
    <div className={classes.drop} data-needs-script>
      <UploadIcon />
      <p>
        <strong>{t('file.drop')}</strong>
        <span>{t('file.limits')}</span>
      </p>
      <Button type="button" variant="default" onClick={onPick}>
        {t('file.pick')}
      </Button>
    </div>
  );
}

/** Plays the file from this device: nothing of it needs to have arrived. */
function ListenBefore({ file }: { file: Blob }) {
  const { t } = useTranslation('episode');
  const address = useLocalAddress(file);
  if (!address) return null;
  return (
    <div className={classes.listen}>
      <span>{t('file.listen')}</span>
      {/* biome-ignore lint/a11y/useMediaCaption: the creator's own recording, before it is published */}
      <audio controls src={address} preload="metadata" />
    </div>
  );
}

function DropVeil() {
  const { t } = useTranslation('episode');
  return (
    <div className={classes.veil} aria-hidden="true">
      <UploadIcon />
      {t('file.dropHere')}
    </div>
  );
}
