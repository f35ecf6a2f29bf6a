import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { loadImage } from '~/app/components/crop-picture';
import { CustomField } from '~/app/components/fields';
import { useFieldSetters } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { LIMITS } from '~/server/limits';
import { pictureFault } from './file-faults';
import { percentOf } from './transfer';
import classes from './upload.module.css';
import { useLocalAddress } from './use-local-address';
import type { FieldUpload } from './use-upload';

const CropDialog = lazy(() => import('~/app/components/crop-dialog'));

type Props = { name: string; upload: FieldUpload; label: string; help: string; present?: string | null };

/** A square picture: picked, cropped here, sent as a JPEG. */
export function PictureField({ name, upload, label, help, present }: Props) {
  const { t } = useTranslation('studio');
  const { t: say } = useTranslation('errors');
  const { set, fault } = useFieldSetters(name);
  const [source, setSource] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const pickerId = useId();
  const { transfer } = upload;
  const { key } = transfer;
  useEffect(() => set(key ?? ''), [key, set]);
  const local = useLocalAddress(transfer.file);
  const shown = local ?? present;

  function close() {
    if (source) URL.revokeObjectURL(source);
    setSource(null);
  }

  async function take(file: File) {
    const found = pictureFault(file);
    if (found) return fault(say(found));
    const address = URL.createObjectURL(file);
    const image = await loadImage(address).catch(() => null);
    const { minPixels } = LIMITS.cover;
    if (image && Math.min(image.naturalWidth, image.naturalHeight) >= minPixels) return setSource(address);
    URL.revokeObjectURL(address);
    fault(say(image ? 'media.too_small' : 'media.not_a_picture', { min: minPixels }));
  }

  function send(picture: Blob) {
    close();
    set('');
    upload.start(new File([picture], 'cover.jpg', { type: 'image/jpeg' }));
  }

  return (
    <CustomField name={name} label={label} help={help}>
      <input type="hidden" name={name} value={key ?? ''} />
      <input
        ref={picker}
        id={pickerId}
        type="file"
        accept="image/jpeg,image/png"
        className="hidden-visually"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void take(file);
          event.currentTarget.value = '';
        }}
      />
      <div className={classes.picture}>
        <div className={classes.preview}>
          {shown ? <img src={shown} alt={t('picture.alt')} /> : <span>{t('picture.none')}</span>}
        </div>
        <div className={classes.pictureFacts} data-needs-script>
          <Button type="button" variant="default" onClick={() => picker.current?.click()}>
            {t(shown ? 'picture.other' : 'picture.pick')}
          </Button>
          <PictureState upload={upload} percent={percentOf(transfer)} />
        </div>
      </div>
      {source && (
        <Suspense fallback={null}>
          <CropDialog
            source={source}
            minPixels={LIMITS.cover.minPixels}
            maxPixels={LIMITS.cover.recommendedPixels}
            words={{
              title: t('crop.title'),
              help: t('crop.help'),
              zoom: t('crop.zoom'),
              use: t('crop.use'),
              cancel: t('cancel'),
            }}
            onCancel={close}
            onCropped={send}
          />
        </Suspense>
      )}
    </CustomField>
  );
}

function PictureState({ upload, percent }: { upload: FieldUpload; percent: number }) {
  const { t } = useTranslation('studio');
  const { t: say } = useTranslation('errors');
  const { phase, problem } = upload.transfer;
  if (phase === 'idle') return <p>{t('picture.limits', { pixels: LIMITS.cover.recommendedPixels })}</p>;
  if (phase === 'done') return <p role="status">{t('picture.ready')}</p>;
  if (phase === 'needs_file') return <p role="alert">{t('picture.needsFile')}</p>;
  if (phase !== 'refused' && phase !== 'interrupted') return <p role="status">{t('picture.sending', { percent })}</p>;
  return (
    <>
      <p role="alert">{say(problem ?? 'common.something_went_wrong')}</p>
      <Button type="button" size="compact-md" onClick={upload.resume}>
        {t('picture.again')}
      </Button>
    </>
  );
}
