import { redirect } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { DropDown, dropDownItem } from '~/app/components/drop-down';
import { ChevronDownIcon } from '~/app/components/line-icons';
import { PageHeader } from '~/app/components/page-header';
import { hasPeople, hasPlays } from '~/app/features/studio/home/first-figures';
import { HomeFigures } from '~/app/features/studio/home/home-figures';
import { MoneyCard } from '~/app/features/studio/home/money-card';
import { Plays } from '~/app/features/studio/home/plays';
import { Upcoming } from '~/app/features/studio/home/upcoming';
import { Checklist } from '~/app/features/studio/start/checklist';
import { StepPanel } from '~/app/features/studio/start/step-panel';
import { stepPath } from '~/app/features/studio/start/step-paths';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { useIsEditor, useStudio } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';
import { roleMay } from '~/server/policy/roles';

/** A creator's plays, and the remaining steps of the start wizard. Listeners are led to their feed. */
export const loader = page(async ({ api, context, url }) => {
  const [{ creator, role }, progress] = await Promise.all([api.accounts.me(), api.start.progress()]);
  if (!creator && progress.isListener) throw redirect(pathsFor(url).myFeed);
  const [figures, { items }, upcoming, payouts] = await Promise.all([
    creator ? api.statistics.home() : null,
    creator ? api.products.list({ pageSize: PAGE_LIMITS.maxSize }) : { items: [] },
    creator && roleMay(role, 'episode.read') ? api.episodes.upcoming() : null,
    creator && roleMay(role, 'creator.readPayouts') ? api.payouts.overview() : null,
  ]);
  const hasEpisodes = items.some(({ allEpisodesCount }) => allEpisodesCount > 0);
  const title = translator(context.language, 'studio')('nav.home');
  return {
    figures,
    progress,
    upcoming,
    balances: payouts?.balances ?? [],
    hasEpisodes,
    title,
  };
});

/** Sends the verification email again, or hides an announcement. */
export const action = form(
  sectionAction<string | null>({
    dismiss: async ({ api }, { id }) => {
      await api.announcements.dismiss({ id: id as never });
      return null;
    },
  }),
  {
    then: (done, { url }) => {
      const { dashboard } = pathsFor(url);
      return done ? withDoneMessage(dashboard, done) : dashboard;
    },
  },
);

export const meta = titleMeta;

export default function Home() {
  const { t } = useTranslation('studio');
  const { user, products } = useStudio();
  const { figures, progress, hasEpisodes, upcoming, balances } = useLoaderData<typeof loader>();
  // the next step is all that a newcomer needs; zeros would only distract from it
  const isNew = user.role === 'owner' && !progress.isOver;
  const failure = useActionData<FormFailure>();
  const isOwner = user.role === 'owner' || user.creator === null;
  const newEpisode = useIsEditor() && hasEpisodes && <NewEpisode />;
  return (
    <>
      <PageHeader
        title={t('home.hello', { name: isOwner ? user.creator?.name || user.name : user.name })}
        lead={!isOwner && user.creator ? t('home.worksFor', { creator: user.creator.name }) : undefined}
        action={newEpisode}
      />
      {failure?.message && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {failure.message}
        </Alert>
      )}
      {user.role === 'owner' && <NextStep />}
      {figures && hasEpisodes && (!isNew || hasPeople(figures)) && <HomeFigures figures={figures} />}
      {figures && products.length > 0 && (!isNew || hasPlays(figures)) && <Plays plays={figures.plays} />}
      <MoneyCard balances={balances} />
      {upcoming && hasEpisodes && <Upcoming releases={upcoming} />}
    </>
  );
}

/** The way to a new episode; the person chooses one of several shows. */
function NewEpisode() {
  const { t } = useTranslation('studio');
  const { products } = useStudio();
  const paths = usePaths();
  const [first, ...others] = products;
  if (!first) return null;
  if (others.length === 0) {
    return (
      <Button component={Link} to={paths.createEpisode(first)}>
        {t('home.newEpisode')}
      </Button>
    );
  }
  const button = (
    <>
      {t('home.newEpisode')}
      <ChevronDownIcon />
    </>
  );
  return (
    <DropDown button={button} align="end" isMain>
      {products.map((product) => (
        <Link key={`${product.kind}-${product.id}`} to={paths.createEpisode(product)} className={dropDownItem}>
          <img src={product.picture} alt="" width={32} height={32} />
          {product.name}
        </Link>
      ))}
    </DropDown>
  );
}

/** Offers the start wizard until the page is shared, and then the first episode until there is one. */
function NextStep() {
  const { products } = useStudio();
  const { progress, hasEpisodes } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const [first] = products;
  const { next, isOver, steps } = progress;
  if (!isOver && next) {
    return (
      <StepPanel step={next} to={stepPath(paths, next)}>
        <Checklist steps={steps} />
      </StepPanel>
    );
  }
  return first && !hasEpisodes ? <StepPanel step="episode" to={paths.createEpisode(first)} /> : null;
}
