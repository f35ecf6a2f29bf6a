import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '~/app/components/button';
import { CustomField } from '~/app/components/fields';
import { useFilePicker } from '~/app/components/file-picker';
import { useField, useFieldSetters } from '~/app/components/form-context';
import { UploadIcon } from '~/app/components/line-icons';
import { SoundPlayer } from '~/app/components/sound-player';
import { formatFileSize } from '~/app/lib/formats';
import { useLocation } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { pickableAudio } from '~/server/domain/media/rules';
import { AUDIO_LIMITS, CONVERSION_LIMITS } from '~/server/limits/media';
import { nameFromFile } from './check-file';
import { nameOfAudio, problemOfAudio } from './picked-audio';
import { PlainFileField } from './plain-file-field';
import { TransferPanel } from './transfer-panel';
import classes from './upload.module.css';
import { useFileDrop } from './use-file-drop';
import { useKeyInForm } from './use-key-in-form';
import { useObjectUrl } from './use-object-url';
import type { FieldUpload } from './use-upload';

type Props = {
  name: string;
  upload: FieldUpload;
  label: string;
  help: ReactNode;
  /** A text field that gets the file's title or name as its value, until the user changes it. */
  fillsField?: string;
  /** For promos, the text of the drop zone about MP3 limits. Without it, the file belongs to an episode. */
  limits?: string;
  /** Another way to get a file, below. `take` starts its upload. */
  beside?: (take: (file: File) => void) => ReactNode;
  /** For forms that need no file. */
  onRemove?: () => void;
};

/** The file of an episode or a promo, picked or dropped anywhere on the page. The upload starts immediately. */
export function AudioField(props: Props) {
  const { name, upload, label, help, fillsField = '', limits, beside, onRemove } = props;
  const { t: tError } = useTranslation('errors');
  const { value } = useField(name);
  const { setValue, setError } = useFieldSetters(name);
  const { propose } = useFieldSetters(fillsField);
  const proposed = useRef<string | null>(null);
  const { key, phase, file: picked, fileName } = upload.transfer;
  const convertsAudio = useStudio().convertsAudio && limits === undefined;

  async function takeFile(file: File) {
    const checked = await upload.checkAndStart(file, (one) => problemOfAudio(one, { convertsAudio }));
    if (!checked) return;
    const { problem } = checked;
    if (problem) return setError(tError(problem.code, problem.values));
    setValue('');
    if (!fillsField) return;
    const name = await nameOfAudio(file);
    propose(name, proposed.current ?? nameFromFile(fileName));
    proposed.current = name;
  }
  const ofEpisodes = useLimits(convertsAudio);
  const stated = limits ?? ofEpisodes;
  const isDraggedOver = useFileDrop(([file]) => file && void takeFile(file));
  const accept = pickableAudio({ convertsAudio });
  const picker = useFilePicker(accept, label, (file) => void takeFile(file));
  useKeyInForm(key, setValue);
  useFocusFromLink(name);

  return (
    <CustomField name={name} label={label} help={help}>
      <input type="hidden" name={name} value={key ?? value} />
      {picker.input}
      {phase === 'idle' ? (
        <DropZone onPick={picker.open} limits={stated} convertsAudio={convertsAudio} />
      ) : (
        <TransferPanel upload={upload} onPick={picker.open} onRemove={onRemove} />
      )}
      <PlainFileField name={name} accept={accept} help={stated} />
      {picked && <FilePreview file={picked} />}
      {beside?.((file) => void takeFile(file))}
      {isDraggedOver && <DropOverlay />}
    </CustomField>
  );
}

/** A link to the field, such as `edit/7#fileKey`, focuses it. */
function useFocusFromLink(name: string): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === `#${name}`) document.getElementById(name)?.focus();
  }, [hash, name]);
}

type DropZoneProps = { onPick: () => void; limits: string; convertsAudio: boolean };

function DropZone({ onPick, limits, convertsAudio }: DropZoneProps) {
  const { t } = useTranslation('episode');
  return (
    <div className={classes.drop} data-needs-script>
      <UploadIcon />
      <p>
        <strong>{t(convertsAudio ? 'file.dropAudio' : 'file.drop')}</strong>
        <span>{limits}</span>
      </p>
      <Button type="button" variant="default" onClick={onPick}>
        {t('file.pick')}
      </Button>
    </div>
  );
}

/** The formats and sizes allowed for an episode's file. */
function useLimits(convertsAudio: boolean): string {
  const { t, locale } = useTranslation('episode');
  const size = formatFileSize(AUDIO_LIMITS.statedBytes, locale);
  return convertsAudio
    ? t('file.limitsConverted', { size, hours: CONVERSION_LIMITS.hours })
    : t('file.limits', { size });
}

/** Plays the local file, even before its upload has finished. */
function FilePreview({ file }: { file: Blob }) {
  const { t } = useTranslation('episode');
  const address = useObjectUrl(file);
  if (!address) return null;
  return (
    <div className={classes.listen}>
      <span>{t('file.listen')}</span>
      <SoundPlayer src={address} />
    </div>
  );
}

function DropOverlay() {
  const { t } = useTranslation('episode');
  return (
    <div className={classes.veil} aria-hidden="true">
      <UploadIcon />
      {t('file.dropHere')}
    </div>
  );
}
