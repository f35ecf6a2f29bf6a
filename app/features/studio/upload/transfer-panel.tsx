import { Button } from '~/app/components/button';
import { AlertIcon } from '~/app/components/line-icons';
import { formatDuration, formatFileSize } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Link, useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { percentOf, type Transfer, uploadSpeed } from './transfer';
import classes from './upload.module.css';
import type { FieldUpload } from './use-upload';

type Props = { upload: FieldUpload; onPick: () => void; onRemove?: () => void };

/** An upload's progress, speed and remaining time, with its buttons. */
export function TransferPanel({ upload, onPick, onRemove }: Props) {
  const { t } = useTranslation('episode');
  const { transfer, pause, resume } = upload;
  const { phase } = transfer;
  const percent = percentOf(transfer);
  const canPause = phase === 'starting' || phase === 'uploading' || phase === 'waiting';
  const canResume = phase === 'paused' || phase === 'interrupted' || phase === 'failed';
  return (
    <div className={classes.panel} data-phase={phase}>
      <div className={classes.head}>
        {(phase === 'failed' || phase === 'interrupted' || phase === 'needs_file') && <AlertIcon />}
        <span className={classes.name}>{transfer.fileName}</span>
        <span className={classes.percent}>{percent}%</span>
      </div>
      <div
        className={classes.track}
        role="progressbar"
        aria-label={t('file.progress', { name: transfer.fileName })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span
          style={{ inlineSize: `${phase === 'done' ? 100 : (transfer.sent / Math.max(1, transfer.bytes)) * 100}%` }}
        />
      </div>
      <div className={classes.facts}>
        <Facts transfer={transfer} />
        <span className={classes.acts}>
          {canPause && (
            <Button type="button" size="compact-md" variant="default" onClick={pause}>
              {t('file.pause')}
            </Button>
          )}
          {canResume && (
            <Button type="button" size="compact-md" onClick={resume}>
              {t(phase === 'paused' ? 'file.resume' : 'file.retry')}
            </Button>
          )}
          <Button type="button" size="compact-md" variant="subtle" color="gray" onClick={onPick}>
            {t(phase === 'needs_file' ? 'file.pickSame' : 'file.other')}
          </Button>
          {onRemove && (
            <Button type="button" size="compact-md" variant="subtle" color="gray" onClick={onRemove}>
              {t('file.remove')}
            </Button>
          )}
        </span>
      </div>
    </div>
  );
}

function Facts({ transfer }: { transfer: Transfer }) {
  const { t, locale } = useTranslation('episode');
  const { t: tError } = useTranslation('errors');
  const { phase, problem, sent, bytes } = transfer;
  const now = uploadSpeed(transfer);
  const amounts = { sent: formatFileSize(sent, locale), bytes: formatFileSize(bytes, locale) };
  if (phase === 'failed') {
    return (
      <span role="alert">
        {tError(problem ?? 'common.something_went_wrong')} {problem === 'common.unauthenticated' && <LoginLink />}
      </span>
    );
  }
  if (phase === 'uploading' && now) {
    const left = formatDuration(now.secondsLeft, locale);
    return <span>{t('file.pace', { ...amounts, speed: formatFileSize(now.bytesPerSecond, locale), left })}</span>;
  }
  return <span role="status">{t(`file.phase.${phase}`, amounts)}</span>;
}

/** Shown when the session has expired. The draft and the upload are kept and continue after login. */
function LoginLink() {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  const { pathname, search } = useLocation();
  return <Link to={paths.login(pathname + search)}>{t('file.login')}</Link>;
}
