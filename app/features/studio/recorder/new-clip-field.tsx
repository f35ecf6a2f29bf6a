import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '~/app/components/button';
import { useFieldSetters } from '~/app/components/form-context';
import { AudioField } from '~/app/features/studio/upload/audio-field';
import { isUnderway } from '~/app/features/studio/upload/transfer';
import { type FieldUpload, useUpload } from '~/app/features/studio/upload/use-upload';
import { totalPercent } from '~/app/features/studio/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { useNavigation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useIsSaved } from '~/app/lib/use-is-saved';
import { isRecordingName } from './record-problem';
import { Recorder } from './recorder';
import classes from './recorder.module.css';
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
  const wait = useGuard(element, upload, isRecording ? t('record.keepFirst') : null);
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
      {wait.isWaiting && <Waiting upload={upload} onStop={wait.stop} />}
    </div>
  );
}

/** The form is sent once its file has arrived. */
function Waiting({ upload, onStop }: { upload: FieldUpload; onStop: () => void }) {
  const { t } = useTranslation('studio');
  return (
    <div className={classes.waiting}>
      <span role="status">{t('wait.progress', { percent: totalPercent({ clip: upload.transfer }) })}</span>
      <Button type="button" variant="subtle" color="gray" onClick={onStop}>
        {t('wait.stop')}
      </Button>
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

/**
 * Keeps the enclosing form from being sent without its file. During an upload it is sent once the file has arrived; if
 * that needs the user, or a recording isn't kept, the field says so. `reason`: why it can't be sent now.
 */
function useGuard(element: RefObject<HTMLElement>, { transfer }: FieldUpload, reason: string | null) {
  const { t } = useTranslation('sound');
  const { setError } = useFieldSetters('clipKey');
  const [waiting, setWaiting] = useState<{ submitter: HTMLElement | null } | null>(null);
  const { phase } = transfer;
  const isComing = isUnderway(transfer);
  const isStopped = !isComing && phase !== 'idle' && phase !== 'done';
  const stated = reason ?? (isStopped ? t('upload.waitFirst') : null);
  useEffect(() => {
    const form = element.current?.closest('form');
    if (!form || (stated === null && !isComing)) return;
    const stop = (event: SubmitEvent) => {
      event.preventDefault();
      // React listens above the form
      event.stopPropagation();
      if (stated === null) setWaiting({ submitter: event.submitter });
      else setError(stated);
      document.getElementById('clipKey')?.focus();
    };
    form.addEventListener('submit', stop);
    return () => form.removeEventListener('submit', stop);
  }, [element, isComing, stated, setError]);
  // after the effect above, which would stop the form again
  useEffect(() => {
    if (!waiting || isComing) return;
    setWaiting(null);
    if (stated !== null) setError(stated);
    else if (phase === 'done') element.current?.closest('form')?.requestSubmit(waiting.submitter);
  }, [waiting, isComing, stated, phase, element, setError]);
  return { isWaiting: waiting !== null, stop: () => setWaiting(null) };
}
