import { ErrorContent } from '~/app/features/site/site/error-page';
import { isRouteErrorResponse } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { CreatorShell } from './creator-shell';
import type { CreatorCard } from './page-data.server';

/** The creator on whose pages the error happened (`creatorsPage`); null elsewhere. */
export function creatorOfError(error: unknown): CreatorCard | null {
  if (!isRouteErrorResponse(error)) return null;
  const { data }: { data: { creator?: CreatorCard } | null } = error;
  return data?.creator ?? null;
}

/** An error below a creator's own header, with the way back to their page. */
export function CreatorErrorPage({ status, creator }: { status: number; creator: CreatorCard }) {
  const paths = usePublicPaths();
  return (
    <CreatorShell creator={creator} head={null}>
      <ErrorContent status={status} home={paths.creator} homeName={creator.name} />
    </CreatorShell>
  );
}
