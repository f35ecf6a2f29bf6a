import { router } from './init';
import { accountsRouter } from './routers/accounts';
import { affiliatesRouter } from './routers/affiliates';
import { announcementsRouter } from './routers/announcements';
import { appsRouter } from './routers/apps';
import { archivesRouter } from './routers/archives';
import { audienceRouter } from './routers/audience';
import { billingRouter } from './routers/billing';
import { buyersRouter } from './routers/buyers';
import { campaignsRouter } from './routers/campaigns';
import { clipsRouter, insertionPointsRouter, passagesRouter } from './routers/clips';
import { consoleRouter } from './routers/console';
import { contactImportsRouter } from './routers/contact-imports';
import { contactsRouter } from './routers/contacts';
import { contentRouter } from './routers/content';
import { couponsRouter } from './routers/coupons';
import { creatorsRouter } from './routers/creators';
import { developersRouter } from './routers/developers';
import { donationsRouter } from './routers/donations';
import { episodesRouter } from './routers/episodes';
import { feedsRouter } from './routers/feeds';
import { giftsRouter } from './routers/gifts';
import { identitiesRouter } from './routers/identities';
import { importedHistoryRouter } from './routers/imported-history';
import { importsRouter } from './routers/imports';
import { listeningRouter } from './routers/listening';
import { mediaRouter } from './routers/media';
import { movingRouter } from './routers/moving';
import { automationsRouter, editionsRouter, newsletterRouter } from './routers/newsletter';
import { notificationsRouter } from './routers/notifications';
import { operatorsRouter } from './routers/operators';
import { pagesRouter } from './routers/pages';
import { payoutsRouter } from './routers/payouts';
import { plansRouter } from './routers/plans';
import { productsRouter } from './routers/products';
import { recommendationsRouter } from './routers/recommendations';
import { referenceRouter } from './routers/reference';
import { sellerAccountRouter } from './routers/seller-account';
import { soundbitesRouter } from './routers/soundbites';
import { spotifyRouter } from './routers/spotify';
import { startRouter } from './routers/start';
import { statisticsRouter } from './routers/statistics';
import { statusRouter } from './routers/status';
import { subscriberImportsRouter, subscriberMovesRouter } from './routers/subscriber-imports';
import { cardsRouter, pausesRouter, receiptsRouter, subscriptionsRouter } from './routers/subscriptions';
import { suggestionsRouter } from './routers/suggestions';
import { supportRouter } from './routers/support';
import { teamRouter } from './routers/team';
import { transcriptionRouter } from './routers/transcription';
import { transcriptsRouter } from './routers/transcripts';
import { webhooksRouter } from './routers/webhooks';

export const appRouter = router({
  accounts: accountsRouter,
  affiliates: affiliatesRouter,
  announcements: announcementsRouter,
  apps: appsRouter,
  archives: archivesRouter,
  audience: audienceRouter,
  billing: billingRouter,
  buyers: buyersRouter,
  clips: clipsRouter,
  campaigns: campaignsRouter,
  insertionPoints: insertionPointsRouter,
  passages: passagesRouter,
  console: consoleRouter,
  contacts: contactsRouter,
  contactImports: contactImportsRouter,
  content: contentRouter,
  coupons: couponsRouter,
  cards: cardsRouter,
  creators: creatorsRouter,
  developers: developersRouter,
  donations: donationsRouter,
  editions: editionsRouter,
  automations: automationsRouter,
  episodes: episodesRouter,
  feeds: feedsRouter,
  gifts: giftsRouter,
  identities: identitiesRouter,
  importedHistory: importedHistoryRouter,
  imports: importsRouter,
  listening: listeningRouter,
  media: mediaRouter,
  moving: movingRouter,
  newsletter: newsletterRouter,
  notifications: notificationsRouter,
  operators: operatorsRouter,
  pages: pagesRouter,
  payouts: payoutsRouter,
  plans: plansRouter,
  products: productsRouter,
  pauses: pausesRouter,
  receipts: receiptsRouter,
  recommendations: recommendationsRouter,
  reference: referenceRouter,
  subscriberImports: subscriberImportsRouter,
  subscriberMoves: subscriberMovesRouter,
  sellerAccount: sellerAccountRouter,
  soundbites: soundbitesRouter,
  spotify: spotifyRouter,
  statistics: statisticsRouter,
  status: statusRouter,
  support: supportRouter,
  start: startRouter,
  subscriptions: subscriptionsRouter,
  team: teamRouter,
  transcripts: transcriptsRouter,
  webhooks: webhooksRouter,
  transcription: transcriptionRouter,
  suggestions: suggestionsRouter,
});

export type AppRouter = typeof appRouter;
