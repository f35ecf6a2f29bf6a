import { Button } from '~/app/components/button';
import { EmptyState, NothingFoundPicture, PagePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { creatorIdOf } from '~/app/features/listener/donation/donation-data.server';
import { donorQuery, isFiltered } from '~/app/features/listener/donation/donor-query';
import { DonationTotals, DonorFilter, DonorTable } from '~/app/features/listener/donation/donors';
import classes from '~/app/features/listener/donation/donors.module.css';
import { form, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { useIsEditor } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The creator's donors. Search, filter and page are in the URL. */
export const loader = page(async (door) => {
  const creatorId = creatorIdOf(door);
  const query = donorQuery(door.url.searchParams);
  const donors = await door.api.donations.donors({ creatorId, ...query });
  return { creatorId, query, donors, title: translator(door.context.language, 'donation')('donors.title') };
});

/** Hides a donor from the wall of thanks, or shows them again. */
export const action = form(
  sectionAction({
    hide: async ({ api }, { id = '' }) => {
      await api.donations.hide({ id, isHidden: true });
      return 'hidden';
    },
    show: async ({ api }, { id = '' }) => {
      await api.donations.hide({ id, isHidden: false });
      return 'shown';
    },
  }),
  { then: (_, { url }) => url.pathname.replace(/\.data$/, '') + url.search },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Donors() {
  const { t } = useTranslation('donation');
  const { creatorId, query, donors } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const isEmpty = donors.total === 0 && !isFiltered(query);
  const open = donors.isOpen && (
    <Button component="a" href={paths.donate(creatorId)} variant="default">
      {t('donors.page')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('donors.title')} lead={t('donors.lead')} action={!isEmpty && open} help="donations" />
      {!donors.acceptsDonations && <SwitchedOff />}
      {isEmpty ? (
        <EmptyState picture={<PagePicture />} title={t('donors.emptyTitle')} action={open}>
          {donors.isOpen && t('donors.emptyText')}
        </EmptyState>
      ) : (
        <FoundDonors />
      )}
    </>
  );
}

function SwitchedOff() {
  const { t } = useTranslation('donation');
  const { creatorPagePart } = usePaths();
  const isEditor = useIsEditor();
  return (
    <p className={classes.off}>
      {t('donors.off')} {isEditor && <Link to={creatorPagePart('support')}>{t('donors.switchOn')}</Link>}
    </p>
  );
}

function FoundDonors() {
  const { t } = useTranslation('donation');
  const { creatorId, query, donors } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const all = (
    <Button component={Link} to="?" reloadDocument variant="default">
      {t('donors.showAll')}
    </Button>
  );
  return (
    <>
      <DonationTotals totals={donors.totals} />
      <DonorFilter query={query} />
      {donors.total === 0 ? (
        <EmptyState picture={<NothingFoundPicture />} title={t('donors.nothingFound')} action={all} />
      ) : (
        <DonorTable donors={donors.items} showsWall={donors.showsWall} />
      )}
      <Pager page={donors.page} pageSize={donors.pageSize} total={donors.total} />
      <p className={classes.export}>
        <a href={`${paths.donors(creatorId)}.csv`} download>
          {t('donors.export')}
        </a>
      </p>
    </>
  );
}
