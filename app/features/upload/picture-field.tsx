import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadImage } from '~/app/components/crop-picture';
import { CustomField } from '~/app/components/fields';
import { useFilePicker } from '~/app/components/file-picker';
import { useFieldSetters } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { COVER_LIMITS } from '~/server/limits/media';
import { pictureFileError } from './check-file';
import { percentOf } from './transfer';
import classes from './upload.module.css';
import { useObjectUrl } from './use-object-url';
import type { FieldUpload } from './use-upload';

const CropDialog = lazy(() => import('~/app/components/crop-dialog'));

type Props = { name: string; upload: FieldUpload; label: string; help: string; current?: string | null };

/** A square picture: picked, cropped in the browser, uploaded as a JPEG. */
export function PictureField({ name, upload, label, help, current }: Props) {
  const { t } = useTranslation('studio');
  const { setValue, setError } = useFieldSetters(name);
  const { key, file } = upload.transfer;
  const { source, take, close } = usePickedPicture(setError);
  const picker = useFilePicker('image/jpeg,image/png', label, (picked) => void take(picked));
  const pictureUrl = useObjectUrl(file) ?? current;
  useEffect(() => setValue(key ?? ''), [key, setValue]);

  function send(picture: Blob) {
    close();
    setValue('');
    upload.start(new File([picture], 'cover.jpg', { type: 'image/jpeg' }));
  }

  return (
    <CustomField name={name} label={label} help={help}>
      <input type="hidden" name={name} value={key ?? ''} />
      {picker.input}
      <div className={classes.picture}>
        <div className={classes.preview}>
          {pictureUrl ? <img src={pictureUrl} alt={t('picture.alt')} /> : <span>{t('picture.none')}</span>}
        </div>
        <div className={classes.pictureFacts} data-needs-script>
          <Button type="button" variant="default" onClick={picker.open}>
            {t(pictureUrl ? 'picture.other' : 'picture.pick')}
          </Button>
          <PictureStatus upload={upload} percent={percentOf(upload.transfer)} />
        </div>
      </div>
      {source && <Crop source={source} onCancel={close} onCropped={send} />}
    </CustomField>
  );
}

/** The picked picture for the crop dialog. A file that is not a picture, or is too small, sets an error. */
function usePickedPicture(setError: (message: string) => void) {
  const { t: tError } = useTranslation('errors');
  const [source, setSource] = useState<string | null>(null);

  function close() {
    if (source) URL.revokeObjectURL(source);
    setSource(null);
  }

  async function take(file: File) {
    const error = pictureFileError(file);
    if (error) return setError(tError(error));
    const address = URL.createObjectURL(file);
    const image = await loadImage(address).catch(() => null);
    const { minPixels } = COVER_LIMITS;
    if (image && Math.min(image.naturalWidth, image.naturalHeight) >= minPixels) return setSource(address);
    URL.revokeObjectURL(address);
    setError(tError(image ? 'media.too_small' : 'media.not_a_picture', { min: minPixels }));
  }

  return { source, take, close };
}

type CropProps = { source: string; onCancel: () => void; onCropped: (picture: Blob) => void };

function Crop(props: CropProps) {
  const { t } = useTranslation('studio');
  const labels = {
    title: t('crop.title'),
    help: t('crop.help'),
    zoom: t('crop.zoom'),
    use: t('crop.use'),
    cancel: t('cancel'),
  };
  const { minPixels, recommendedPixels } = COVER_LIMITS;
  return (
    <Suspense fallback={null}>
      <CropDialog {...props} minPixels={minPixels} maxPixels={recommendedPixels} labels={labels} />
    </Suspense>
  );
}

function PictureStatus({ upload, percent }: { upload: FieldUpload; percent: number }) {
  const { t } = useTranslation('studio');
  const { t: tError } = useTranslation('errors');
  const { phase, problem } = upload.transfer;
  if (phase === 'idle') return <p>{t('picture.limits')}</p>;
  if (phase === 'done') return <p role="status">{t('picture.ready')}</p>;
  if (phase === 'needs_file') return <p role="alert">{t('picture.needsFile')}</p>;
  if (phase !== 'failed' && phase !== 'interrupted') return <p role="status">{t('picture.sending', { percent })}</p>;
  return (
    <>
      <p role="alert">{tError(problem ?? 'common.something_went_wrong')}</p>
      <Button type="button" size="compact-md" onClick={upload.resume}>
        {t('picture.retry')}
      </Button>
    </>
  );
}
