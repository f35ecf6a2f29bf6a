import { lazy, Suspense, useCallback, useState } from 'react';
import { Button } from '~/app/components/button';
import { cropToJpeg, loadImage } from '~/app/components/crop-picture';
import { CustomField } from '~/app/components/fields';
import { useFilePicker } from '~/app/components/file-picker';
import { useField, useFieldSetters } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { COVER_LIMITS } from '~/server/limits/media';
import { pictureFileProblem } from './check-file';
import { isTooSmallForApps, minPixelsFor, planFor } from './picked-picture';
import { PlainFileField } from './plain-file-field';
import { percentOf } from './transfer';
import classes from './upload.module.css';
import { useKeyInForm } from './use-key-in-form';
import { useObjectUrl } from './use-object-url';
import type { FieldUpload } from './use-upload';

const PICTURES = 'image/jpeg,image/png';
const CropDialog = lazy(() => import('~/app/components/crop-dialog'));

type Props = {
  name: string;
  upload: FieldUpload;
  label: string;
  help: string;
  /** URL of the stored picture, shown with at least as many pixels as apps ask for unless it has fewer. */
  current?: string | null;
  /** Whether podcast apps list the picture as a cover, which must be larger. */
  isCover?: boolean;
  /** For each side; by default that of covers or avatars. */
  minPixels?: number;
};

/** A square picture: picked, cropped in the browser, uploaded as a JPEG. */
export function PictureField({ name, upload, label, help, current, isCover = false, ...props }: Props) {
  const { t } = useTranslation('studio');
  const { t: tError } = useTranslation('errors');
  const { value, error } = useField(name);
  const { setValue, setError } = useFieldSetters(name);
  const { key, file } = upload.transfer;
  const { side, readSide } = useShownSide();
  const { minPixels = minPixelsFor(isCover) } = props;
  const { source, take, cut, close } = usePickedPicture({ minPixels, setError, send: sendPicture });
  const picker = useFilePicker(PICTURES, label, (picked) => void take(picked));
  const pictureUrl = useObjectUrl(file) ?? current;
  useKeyInForm(key, setValue);

  async function sendPicture(picture: Promise<File>) {
    setValue('');
    if (!(await upload.startWhenCut(picture))) setError(tError('media.not_a_picture', { min: minPixels }));
  }

  return (
    <CustomField name={name} label={label} help={help}>
      <input type="hidden" name={name} value={key ?? value} />
      {picker.input}
      <div className={classes.picture}>
        <div className={classes.preview}>
          {pictureUrl ? (
            <img
              ref={readSide}
              src={pictureUrl}
              alt={t('picture.alt')}
              loading="lazy"
              onLoad={(event) => readSide(event.currentTarget)}
            />
          ) : (
            <span>{t(key ? 'picture.chosen' : 'picture.none')}</span>
          )}
        </div>
        <div className={classes.pictureFacts} data-needs-script>
          <Button type="button" variant="default" onClick={picker.open}>
            {t(pictureUrl || key ? 'picture.other' : 'picture.pick')}
          </Button>
          {!(error && upload.transfer.phase === 'done') && (
            <PictureStatus upload={upload} percent={percentOf(upload.transfer)} />
          )}
          {isCover && pictureUrl && side !== null && <SmallCoverWarning side={side} />}
        </div>
        <PlainFileField name={name} accept={PICTURES} help={t('plainFile.square')} />
      </div>
      {source && <Crop source={source} minPixels={minPixels} onCancel={close} onCropped={cut} />}
    </CustomField>
  );
}

/**
 * The width of the shown picture, which the warning needs after a reload, too. A picture may load before React does, so
 * it is read on both occasions.
 */
function useShownSide() {
  const [side, setSide] = useState<number | null>(null);
  const readSide = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth > 0) setSide(image.naturalWidth);
  }, []);
  return { side, readSide };
}

const jpegFile = (picture: Blob) => new File([picture], 'cover.jpg', { type: 'image/jpeg' });

type PickedPicture = { minPixels: number; setError: (message: string) => void; send: (square: Promise<File>) => void };

/**
 * Takes a picked picture: a square uploads at once, and other pictures become the `source` of the crop dialog. A
 * picture that is too small, or another type of file, sets an error.
 */
function usePickedPicture({ minPixels, setError, send }: PickedPicture) {
  const { t: tError } = useTranslation('errors');
  const [source, setSource] = useState<string | null>(null);

  function close() {
    if (source) URL.revokeObjectURL(source);
    setSource(null);
  }

  async function take(file: File) {
    const problem = pictureFileProblem(file);
    if (problem) return setError(tError(problem.code, problem.values));
    const address = URL.createObjectURL(file);
    const image = await loadImage(address).catch(() => null);
    const { naturalWidth: width = 0, naturalHeight: height = 0 } = image ?? {};
    const plan = image && planFor({ width, height }, minPixels);
    if (plan === 'crop') return setSource(address);
    if (plan === 'shrink') return send(shrunk(address, width).finally(() => URL.revokeObjectURL(address)));
    if (plan === 'upload') send(Promise.resolve(file));
    else setError(tError(image ? 'media.too_small' : 'media.not_a_picture', { min: minPixels }));
    URL.revokeObjectURL(address);
  }

  /** Closes the dialog at once; the picture stays readable until it has been cut. */
  function cut(picture: Promise<Blob>) {
    const address = source ?? '';
    setSource(null);
    send(picture.then(jpegFile).finally(() => URL.revokeObjectURL(address)));
  }

  return { source, take, cut, close };
}

async function shrunk(address: string, width: number): Promise<File> {
  const side = Math.min(width, COVER_LIMITS.recommendedPixels);
  const picture = await cropToJpeg(address, { x: 0, y: 0, width, height: width }, { min: side, max: side });
  return jpegFile(picture);
}

type CropProps = {
  source: string;
  minPixels: number;
  onCancel: () => void;
  onCropped: (picture: Promise<Blob>) => void;
};

function Crop(props: CropProps) {
  const { t } = useTranslation('studio');
  const labels = {
    title: t('crop.title'),
    help: t('crop.help'),
    zoom: t('crop.zoom'),
    use: t('crop.use'),
    cancel: t('cancel'),
  };
  return (
    <Suspense fallback={null}>
      <CropDialog {...props} maxPixels={COVER_LIMITS.recommendedPixels} labels={labels} />
    </Suspense>
  );
}

/** A warning for covers older than the minimum size, which podcast apps refuse. */
function SmallCoverWarning({ side }: { side: number }) {
  const { t, locale } = useTranslation('studio');
  if (!isTooSmallForApps(side)) return null;
  const format = (pixels: number) => formatNumber(pixels, locale);
  return (
    <p role="status" className={classes.warning}>
      {t('picture.small', { pixels: format(side), min: format(COVER_LIMITS.coverMinPixels) })}
    </p>
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
