import type { ReactNode } from 'react';
import { Button } from '~/app/components/button';
import { ExternalLinkIcon } from '~/app/components/line-icons';
import classes from '~/app/components/page-header.module.css';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeStatus } from '~/db/values/episodes';
import { mayBecome } from '~/server/domain/episodes/rules';
import type { KindName } from '~/server/domain/products/kinds';

type Episode = {
  id: number;
  productId: number;
  kind: KindName;
  status: EpisodeStatus;
  formerReleaseDate: Date | null;
};
type Props = { episode: Episode; pageUrl: string; onPublish: () => void; onUnpublish: () => void };

/** The actions that the episode's current status and the member's role allow. */
export function EpisodeActions({ episode, pageUrl, onPublish, onUnpublish }: Props) {
  const { t } = useTranslation('episode');
  const may = useMay();
  return (
    <div className={classes.actions}>
      {episode.status === 'published' && (
        <Button component="a" href={pageUrl} target="_blank" rel="noreferrer" rightSection={<ExternalLinkIcon />}>
          {t('action.publicPage')}
        </Button>
      )}
      {may('episode.manage') && <Changes episode={episode} onPublish={onPublish} onUnpublish={onUnpublish} />}
    </div>
  );
}

function Changes({ episode, onPublish, onUnpublish }: Omit<Props, 'pageUrl'>) {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  const { status } = episode;
  const isChecked = status !== 'in_progress';
  const isScheduled = status === 'scheduled';
  return (
    <>
      {status !== 'published' && isChecked && mayBecome(status, 'published') && (
        <Toggle intent="publish" onToggle={onPublish} variant={isScheduled ? 'default' : undefined}>
          {t(episode.formerReleaseDate ? 'action.publishAgain' : 'action.publish')}
        </Toggle>
      )}
      {status === 'failed' && (
        <Button component={Link} to={`${paths.editEpisode(episode)}#fileKey`}>
          {t('action.otherFile')}
        </Button>
      )}
      <Button component={Link} to={paths.editEpisode(episode)} variant="default">
        {t('action.edit')}
      </Button>
      {isChecked && status !== 'failed' && <SoundLinks episode={episode} />}
      {isChecked && mayBecome(status, 'on_hold') && (
        <Toggle intent="unpublish" onToggle={onUnpublish} variant="default">
          {t(isScheduled ? 'action.unschedule' : 'action.unpublish')}
        </Toggle>
      )}
      {isChecked && status !== 'failed' && (
        <Form method="post">
          <Button type="submit" name="intent" value="duplicate" variant="default">
            {t('action.duplicate')}
          </Button>
        </Form>
      )}
      <DeleteEpisode />
    </>
  );
}

function SoundLinks({ episode }: { episode: Episode }) {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  return (
    <>
      <Button component={Link} to={paths.chapters(episode)} variant="default">
        {t('action.chapters')}
      </Button>
      <Button component={Link} to={paths.promo(episode)} variant="default">
        {t('action.promo')}
      </Button>
    </>
  );
}

type ToggleProps = { intent: string; onToggle: () => void; variant?: 'default'; children: ReactNode };

/** Calls a procedure with JavaScript. Without it, the same button submits its form to the action. */
function Toggle({ intent, onToggle, variant, children }: ToggleProps) {
  return (
    <Form
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        onToggle();
      }}
    >
      <Button type="submit" name="intent" value={intent} variant={variant}>
        {children}
      </Button>
    </Form>
  );
}

/** The action ends on the list of episodes, which can undo it. */
function DeleteEpisode() {
  const { t } = useTranslation('episode');
  return (
    <Form method="post">
      <Button type="submit" name="intent" value="delete" variant="subtle" color="gray">
        {t('action.delete')}
      </Button>
    </Form>
  );
}
