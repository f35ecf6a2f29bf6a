import { feedPosts, findPost, listPosts } from '~/server/domain/content/blog';
import { findHelp, listHelp } from '~/server/domain/content/help';
import { findHostGuide, listHostGuides } from '~/server/domain/content/host-guides';
import { findLegalText } from '~/server/domain/content/legal-texts';
import { listQuestions, listResources, listStories, listWebinars } from '~/server/domain/content/list-texts';
import * as schema from '~/server/domain/content/schema';
import { findNamedPage, findResource, findSitePage } from '~/server/domain/content/site-texts';
import { publicProcedure, router } from '../init';

export const contentRouter = router({
  posts: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.listPostsInput)
    .query(({ ctx, input }) => listPosts(ctx, input)),
  feed: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => feedPosts(ctx)),
  post: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.findTextInput)
    .query(({ ctx, input }) => findPost(ctx, input)),
  help: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.listHelpInput)
    .query(({ ctx, input }) => listHelp(ctx, input)),
  helpArticle: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.findTextInput)
    .query(({ ctx, input }) => findHelp(ctx, input)),
  page: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.findTextInput)
    .query(({ ctx, input }) => findSitePage(ctx, input)),
  namedPage: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.namedPageInput)
    .query(({ ctx, input }) => findNamedPage(ctx, input)),
  legal: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.legalTextInput)
    .query(({ ctx, input }) => findLegalText(ctx, input)),
  questions: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => listQuestions(ctx)),
  stories: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => listStories(ctx)),
  resources: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => listResources(ctx)),
  resource: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.findTextInput)
    .query(({ ctx, input }) => findResource(ctx, input)),
  webinars: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => listWebinars(ctx)),
  hosts: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => listHostGuides(ctx)),
  host: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.findTextInput)
    .query(({ ctx, input }) => findHostGuide(ctx, input)),
});
