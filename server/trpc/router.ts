import { router } from './init';
import { accountsRouter } from './routers/accounts';
import { archivesRouter } from './routers/archives';
import { audienceRouter } from './routers/audience';
import { billingRouter } from './routers/billing';
import { buyersRouter } from './routers/buyers';
import { couponsRouter } from './routers/coupons';
import { creatorsRouter } from './routers/creators';
import { donationsRouter } from './routers/donations';
import { episodesRouter } from './routers/episodes';
import { feedsRouter } from './routers/feeds';
import { giftsRouter } from './routers/gifts';
import { identitiesRouter } from './routers/identities';
import { importsRouter } from './routers/imports';
import { listeningRouter } from './routers/listening';
import { mediaRouter } from './routers/media';
import { movingRouter } from './routers/moving';
import { notificationsRouter } from './routers/notifications';
import { pagesRouter } from './routers/pages';
import { plansRouter } from './routers/plans';
import { productsRouter } from './routers/products';
import { referenceRouter } from './routers/reference';
import { startRouter } from './routers/start';
import { cardsRouter, pausesRouter, receiptsRouter, subscriptionsRouter } from './routers/subscriptions';
import { supportRouter } from './routers/support';
import { teamRouter } from './routers/team';

export const appRouter = router({
  accounts: accountsRouter,
  archives: archivesRouter,
  audience: audienceRouter,
  billing: billingRouter,
  buyers: buyersRouter,
  coupons: couponsRouter,
  cards: cardsRouter,
  creators: creatorsRouter,
  donations: donationsRouter,
  episodes: episodesRouter,
  feeds: feedsRouter,
  gifts: giftsRouter,
  identities: identitiesRouter,
  imports: importsRouter,
  listening: listeningRouter,
  media: mediaRouter,
  moving: movingRouter,
  notifications: notificationsRouter,
  pages: pagesRouter,
  plans: plansRouter,
  products: productsRouter,
  pauses: pausesRouter,
  receipts: receiptsRouter,
  reference: referenceRouter,
  support: supportRouter,
  start: startRouter,
  subscriptions: subscriptionsRouter,
  team: teamRouter,
});

export type AppRouter = typeof appRouter;
