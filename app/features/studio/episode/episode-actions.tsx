import type { ReactNode } from 'react';
import { Button } from '~/app/components/button';
import { DropDown, dropDownItem } from '~/app/components/drop-down';
import { MoreIcon } from '~/app/components/icons';
import classes from '~/app/components/part-head.module.css';
import { SharePanel } from '~/app/components/share-panel';
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
  name: string;
  status: EpisodeStatus;
  formerReleaseDate: Date | null;
};
type Props = { episode: Episode; pageUrl: string; onPublish: () => void; onUnpublish: () => void };

/** One main action for the episode's status, editing, and a menu with what is rarely needed. */
export function EpisodeActions({ episode, pageUrl, onPublish, onUnpublish }: Props) {
  const { t } = useTranslation('episode');
  const may = useMay();
  const paths = usePaths();
  const { name, status } = episode;
  const canChange = may('episode.manage');
  const isMainEdit = status === 'in_progress' || status === 'scheduled';
  return (
    <div className={classes.acts}>
      {status === 'published' && <SharePanel name={name} pageUrl={pageUrl} isMain />}
      {canChange && (
        <>
          {canPublish(status) && status !== 'scheduled' && (
            <Toggle episode={episode} intent="publish" onToggle={onPublish}>
              {t(episode.formerReleaseDate ? 'action.publishAgain' : 'action.publish')}
            </Toggle>
          )}
          {status === 'failed' && (
            <Button component={Link} to={`${paths.editEpisode(episode)}#fileKey`}>
              {t('action.otherFile')}
            </Button>
          )}
          <Button component={Link} to={paths.editEpisode(episode)} variant={isMainEdit ? undefined : 'default'}>
            {t('action.edit')}
          </Button>
          <MoreActions episode={episode} onPublish={onPublish} onUnpublish={onUnpublish} />
        </>
      )}
    </div>
  );
}

const canPublish = (status: EpisodeStatus) =>
  status !== 'published' && status !== 'in_progress' && mayBecome(status, 'published');

function MoreActions({ episode, onPublish, onUnpublish }: Omit<Props, 'pageUrl'>) {
  const { t } = useTranslation('episode');
  const { status } = episode;
  const isChecked = status !== 'in_progress';
  const isScheduled = status === 'scheduled';
  return (
    <DropDown button={<MoreIcon />} label={t('action.more')} align="end">
      {isScheduled && canPublish(status) && (
        <Toggle episode={episode} intent="publish" onToggle={onPublish} isItem>
          {t('action.publish')}
        </Toggle>
      )}
      {isChecked && mayBecome(status, 'on_hold') && (
        <Toggle episode={episode} intent="unpublish" onToggle={onUnpublish} isItem>
          {t(isScheduled ? 'action.unschedule' : 'action.unpublish')}
        </Toggle>
      )}
      {isChecked && status !== 'failed' && (
        <Toggle episode={episode} intent="duplicate" isItem>
          {t('action.duplicate')}
        </Toggle>
      )}
      {/* the action ends on the list of episodes, which can undo it */}
      <Toggle episode={episode} intent="delete" isItem>
        {t('action.delete')}
      </Toggle>
    </DropDown>
  );
}

type ToggleProps = { episode: Episode; intent: string; onToggle?: () => void; isItem?: boolean; children: ReactNode };

/**
 * Calls a procedure with JavaScript, if there is one. Otherwise the same button submits its form to the action of the
 * episode's first tab, from every tab.
 */
function Toggle({ episode, intent, onToggle, isItem, children }: ToggleProps) {
  const action = usePaths().episode(episode);
  const button = { type: 'submit', name: 'intent', value: intent } as const;
  return (
    <Form
      method="post"
      action={action}
      onSubmit={(event) => {
        if (!onToggle) return;
        event.preventDefault();
        event.currentTarget.closest('details')?.removeAttribute('open');
        onToggle();
      }}
    >
      {isItem ? (
        <button {...button} className={dropDownItem}>
          {children}
        </button>
      ) : (
        <Button {...button}>{children}</Button>
      )}
    </Form>
  );
}
