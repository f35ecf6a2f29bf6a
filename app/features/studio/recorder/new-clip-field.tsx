import { type RefObject, useEffect, useRef } from 'react';
import { useFieldSetters } from '~/app/components/form-context';
import { AudioField } from '~/app/features/studio/upload/audio-field';
import { type FieldUpload, useUpload } from '~/app/features/studio/upload/use-upload';
import type { FormFailure } from '~/app/lib/doors.server';
import { useNavigation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useIsSaved } from '~/app/lib/use-is-saved';
import { isRecordingName } from './record-problem';
import { Recorder } from './recorder';
import { useRecorder } from './use-recorder';

type Props = {
  /** Names the upload, which survives a reload. */
  form: string;
  label: string;
  help: string;
  failure?: FormFailure;
};

/** The file of a new clip: uploaded, or recorded now. */
export function NewClipField({ form, label, help, failure }: Props) {
  const { t } = useTranslation('sound');
  const upload = useUpload(form, 'clipKey', 'insertion_audio');
  const recorder = useRecorder();
  const element = useRef<HTMLDivElement>(null);
  const { forget, transfer } = upload;
  const { phase } = recorder.state;
  useForgetting(upload, failure);
  const isRecording = phase === 'recording' || phase === 'recorded' || phase === 'finishing';
  const isIncomplete = transfer.phase !== 'idle' && transfer.phase !== 'done';
  useGuard(element, isRecording ? t('record.keepFirst') : isIncomplete ? t('upload.waitFirst') : null);
  return (
    <div ref={element}>
      <input type="hidden" name="isRecorded" value={isRecordingName(transfer.fileName) ? 'on' : 'false'} />
      <AudioField
        name="clipKey"
        {...{ upload, label, help }}
        limits={t('clip.limits')}
        onRemove={forget}
        beside={(take) => (
          <Recorder
            recorder={recorder}
            onKeep={(file) => {
              recorder.discard();
              take(file);
            }}
          />
        )}
      />
    </div>
  );
}

/**
 * Forgets the file once it is a clip, or was refused. A form that was refused for another reason keeps it: the answer
 * still has its key then.
 */
function useForgetting({ transfer: { key }, forget }: FieldUpload, failure: FormFailure | undefined): void {
  const { state, formData } = useNavigation();
  const isSent = useRef(false);
  useEffect(() => {
    if (key !== null && formData?.get('clipKey') === key) isSent.current = true;
  }, [key, formData]);
  useEffect(() => {
    if (!failure) return;
    isSent.current = false;
    if (!failure.values.clipKey || failure.fields.clipKey) forget();
  }, [failure, forget]);
  useEffect(() => {
    if (state !== 'idle' || !isSent.current) return;
    isSent.current = false;
    forget();
  }, [state, forget]);
  const isSaved = useIsSaved((sent) => key !== null && sent.get('clipKey') === key);
  useEffect(() => () => void (isSaved.current && forget()), [isSaved, forget]);
}

/** Stops the submission of the enclosing form, which would lose something, and says why. */
function useGuard(element: RefObject<HTMLElement>, reason: string | null): void {
  const { setError } = useFieldSetters('clipKey');
  useEffect(() => {
    const form = element.current?.closest('form');
    if (!form || reason === null) return;
    const stop = (event: Event) => {
      event.preventDefault();
      // React listens above the form
      event.stopPropagation();
      setError(reason);
      document.getElementById('clipKey')?.focus();
    };
    form.addEventListener('submit', stop);
    return () => form.removeEventListener('submit', stop);
  }, [element, reason, setError]);
}
