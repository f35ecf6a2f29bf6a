import { Button } from '@mantine/core';
import { Form, Link } from '@remix-run/react';
import { useState } from 'react';
import { ConfirmDialog } from '~/app/components/confirm-dialog';
import { ExternalLinkIcon } from '~/app/components/line-icons';
import classes from '~/app/components/page-header.module.css';
import { SubmitButton } from '~/app/components/submit-button';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { type EpisodeStatus, mayBecome } from '~/server/domain/episodes/rules';
import type { KindName } from '~/server/domain/products/kinds';

const REMOVE = 'remove-episode';

type Props = {
  episode: { id: number; productId: number; kind: KindName; name: string; status: EpisodeStatus };
  pageUrl: string;
};

/** What can be done with an episode as it stands now. */
export function EpisodeActions({ episode, pageUrl }: Props) {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  const [confirming, setConfirming] = useState(false);
  const { status } = episode;
  const isOut = status === 'published';
  return (
    <div className={classes.actions}>
      {isOut && (
        <Button component="a" href={pageUrl} target="_blank" rel="noreferrer" rightSection={<ExternalLinkIcon />}>
          {t('action.publicPage')}
        </Button>
      )}
      {!isOut && status !== 'in_progress' && mayBecome(status, 'published') && (
        <Form method="post">
          <SubmitButton intent="release">{t('action.publish')}</SubmitButton>
        </Form>
      )}
      <Button component={Link} to={paths.editEpisode(episode)} variant={status === 'failed' ? 'filled' : 'default'}>
        {t(status === 'failed' ? 'action.otherFile' : 'action.edit')}
      </Button>
      {status !== 'in_progress' && mayBecome(status, 'on_hold') && (
        <Form method="post">
          <Button type="submit" name="intent" value="hold" variant="default">
            {t('action.unpublish')}
          </Button>
        </Form>
      )}
      <Form method="post" id={REMOVE}>
        <input type="hidden" name="intent" value="remove" />
        <Button type="button" variant="subtle" color="gray" onClick={() => setConfirming(true)} data-needs-script>
          {t('action.delete')}
        </Button>
        <noscript>
          <button type="submit">{t('delete.submit')}</button>
        </noscript>
      </Form>
      <ConfirmDialog
        open={confirming}
        title={t('delete.question')}
        name={episode.name}
        nameLabel={t('delete.typeName')}
        action={t('delete.submit')}
        cancel={t('delete.cancel')}
        onCancel={() => setConfirming(false)}
        form={REMOVE}
      >
        <p>{t('delete.warning', { name: episode.name })}</p>
      </ConfirmDialog>
    </div>
  );
}
