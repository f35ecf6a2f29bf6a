import { IntentButton } from '~/app/components/intent-button';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import type { CampaignView } from '~/server/domain/insertions/campaign-list';
import { daysText, episodesText, failureText, impressionsText, placeText } from './campaign-words';
import classes from './insertions.module.css';
import { StatePill } from './state-pill';

type Props = { campaigns: CampaignView[]; canManage: boolean; namesShows?: boolean };
const KINDS = ['campaign', 'promo', 'fallback'] as const;

/** Campaigns by kind, in the order in which they fill a place; those that have ended come last. */
export function CampaignList({ campaigns, ...props }: Props) {
  const { t } = useTranslation('campaigns');
  const groups = [
    ...KINDS.map((kind) => ({
      name: kind as string,
      items: campaigns.filter((one) => one.kind === kind && one.state !== 'ended'),
    })),
    { name: 'ended', items: campaigns.filter(({ state }) => state === 'ended') },
  ].filter(({ items }) => items.length > 0);
  return (
    <>
      {groups.map(({ name, items }) => (
        <section key={name} aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`} className={classes.group}>
            {t(`group.${name}`)}
          </h2>
          <ul className={classes.rows}>
            {items.map((campaign, i) => (
              <CampaignRow
                key={campaign.id}
                campaign={campaign}
                isFirst={i === 0}
                isLast={i === items.length - 1}
                canMove={name !== 'ended' && items.length > 1 && !props.namesShows}
                {...props}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

type RowProps = Omit<Props, 'campaigns'> & {
  campaign: CampaignView;
  isFirst: boolean;
  isLast: boolean;
  canMove: boolean;
};

function CampaignRow({ campaign, canManage, namesShows, ...order }: RowProps) {
  const { t, locale } = useTranslation('campaigns');
  const { t: tError } = useTranslation('errors');
  const paths = usePaths();
  const { id, name, state, product, kind, endedAt } = campaign;
  const timeZone = useCreatorTimeZone();
  const dateOf = (date: Date) => formatDate(date, locale, { dateStyle: 'medium', timeZone });
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <p className={classes.name}>
          <Link to={paths.campaign(product, id)} dir="auto">
            {name}
          </Link>
          <StatePill campaign={campaign} />
        </p>
        <p className={classes.fact}>
          {namesShows && (
            <>
              <bdi>{product.name}</bdi> ·{' '}
            </>
          )}
          {placeText(campaign, t)} · {episodesText(campaign, t, locale)}
        </p>
        <p className={classes.fact}>
          {endedAt ? t('endedOn', { day: dateOf(endedAt) }) : daysText(campaign, t, locale)} ·{' '}
          {impressionsText(campaign, t, locale)}
        </p>
        {campaign.silencedBy && (
          <p className={classes.fact}>{t('silencedBy', { campaign: campaign.silencedBy.name })}</p>
        )}
        {state === 'failed' && <p className={classes.fact}>{failureText(campaign, { t, tError })}</p>}
        {state === 'preparing' && campaign.prepared.total > 0 && (
          <p className={classes.fact}>{t('prepared', { ...campaign.prepared, count: campaign.prepared.total })}</p>
        )}
      </div>
      {canManage && kind !== 'promo' && state !== 'ended' && <Acts campaign={campaign} {...order} />}
    </li>
  );
}

type ActsProps = Pick<RowProps, 'campaign' | 'isFirst' | 'isLast' | 'canMove'>;

function Acts({ campaign: { id, name, state, isActive }, canMove, isFirst, isLast }: ActsProps) {
  const { t } = useTranslation('campaigns');
  const toggle = isActive ? 'off' : 'on';
  return (
    <div className={classes.actions}>
      <Form method="post">
        <input type="hidden" name="id" value={id} />
        {canMove && !isFirst && (
          <IntentButton intent="up" label={t('move.upOf', { name })}>
            {t('move.up')}
          </IntentButton>
        )}
        {canMove && !isLast && (
          <IntentButton intent="down" label={t('move.downOf', { name })}>
            {t('move.down')}
          </IntentButton>
        )}
        {state !== 'draft' && (
          <IntentButton intent={toggle} label={t(`toggle.${toggle}Of`, { name })}>
            {t(`toggle.${toggle}`)}
          </IntentButton>
        )}
      </Form>
    </div>
  );
}
