import { redirect } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { PageHeader } from '~/app/components/page-header';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { CampaignEnd, CampaignSwitch } from '~/app/features/studio/insertions/campaign-acts';
import { CampaignFacts } from '~/app/features/studio/insertions/campaign-facts';
import { CampaignFigures } from '~/app/features/studio/insertions/campaign-figures';
import { failureText } from '~/app/features/studio/insertions/campaign-words';
import classes from '~/app/features/studio/insertions/insertions.module.css';
import { namedFigures } from '~/app/features/studio/insertions/named-figures.server';
import { StatePill } from '~/app/features/studio/insertions/state-pill';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { parseId, productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** A campaign with its figures. */
export const loader = page(async (door) => {
  const id = idOf(door);
  const [campaign, figures] = await Promise.all([door.api.campaigns.get({ id }), door.api.campaigns.figures({ id })]);
  if (campaign.product.id !== productRef(door).id)
    throw redirect(pathsFor(door.url).campaign(campaign.product, campaign.id));
  return { title: campaign.name, campaign, figures: namedFigures(figures, door.context) };
});

const idOf = ({ params }: Pick<Door, 'params'>) => parseId(params.campaignId);
const toggle = (isActive: boolean) => async (door: Door) => {
  await door.api.campaigns.switch({ id: idOf(door), isActive });
  return isActive ? 'campaign_on' : 'campaign_off';
};

export const action = form(
  sectionAction({
    on: toggle(true),
    off: toggle(false),
    end: async (door) => {
      await door.api.campaigns.end({ id: idOf(door) });
      return 'campaign_ended';
    },
    delete: async (door) => {
      await door.api.campaigns.remove({ id: idOf(door) });
      return 'campaign_deleted';
    },
  }),
  {
    then: (done, door) => {
      const paths = pathsFor(door.url);
      const show = productRef(door);
      return withDoneMessage(
        done === 'campaign_deleted' ? paths.insertions(show) : paths.campaign(show, idOf(door)),
        done,
      );
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Campaign() {
  const { t } = useTranslation('campaigns');
  const { t: tError } = useTranslation('errors');
  const { campaign, figures } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  const { id, name, state, product, kind } = campaign;
  const isManaged = campaign.canManage && kind !== 'promo';
  const report = campaign.canManage && state !== 'draft' && (
    <Button component={Link} to={paths.campaignLinks(product, id)} variant="default">
      {t('report.link')}
    </Button>
  );
  const edit = isManaged && campaign.endedAt === null && (
    <Button component={Link} to={paths.editCampaign(product, id)}>
      {t('edit')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={name}
        lead={<StatePill campaign={campaign} />}
        action={edit}
        back={<Link to={paths.insertions(product)}>{t('back', { show: product.name })}</Link>}
      />
      {failure?.message && (
        <p className={classes.notice} role="alert">
          {failure.message}
        </p>
      )}
      {state === 'failed' && (
        <Alert color="red" variant="light">
          {failureText(campaign, { t, tError })}
        </Alert>
      )}
      {campaign.silencedBy && (
        <p className={classes.notice}>{t('silencedText', { campaign: campaign.silencedBy.name })}</p>
      )}
      <CampaignFacts campaign={campaign} />
      <div className={classes.tools}>
        {report}
        {figures.days.length > 0 && (
          <Button component="a" href={`${paths.campaign(product, id)}/impressions.csv`} variant="default" download>
            {t('figures.csv')}
          </Button>
        )}
        {isManaged && <CampaignSwitch campaign={campaign} />}
      </div>
      <CampaignFigures figures={figures} hasEnded={state === 'ended'} />
      {isManaged && <CampaignEnd campaign={campaign} />}
    </>
  );
}
