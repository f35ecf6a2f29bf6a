import { entriesOf } from '../../content/library';
import type { Ctx } from '../../runtime/ctx';
import { inOrder } from './rules';

/** The questions of the site by topic, in the order of the first question of each. */
export async function listQuestions(ctx: Ctx) {
  const questions = inOrder(await textsOf(ctx, 'questions'));
  const topics = [...new Set(questions.map(({ data }) => data.topic))];
  return topics.map((topic) => ({
    topic,
    questions: questions
      .filter(({ data }) => data.topic === topic)
      .map(({ id, slug, data, html, text }) => ({ id, slug, question: data.title, html, text })),
  }));
}

/** The stories of creators. `isExample`: of the demo's creators. `show`: the address of a show, which may not exist. */
export async function listStories(ctx: Ctx) {
  return inOrder(await textsOf(ctx, 'stories')).map(({ slug, data, html }) => ({
    slug,
    title: data.title,
    description: data.description,
    isExample: data.isExample,
    show: data.show ?? null,
    html,
  }));
}

export async function listResources(ctx: Ctx) {
  return inOrder(await textsOf(ctx, 'resources')).map(({ slug, data }) => ({
    slug,
    title: data.title,
    description: data.description,
  }));
}

/** The webinars, the next ones first, then the latest past ones. `to`: where people sign up, or the recording is. */
export async function listWebinars(ctx: Ctx) {
  const today = ctx.now().toISOString().slice(0, 10);
  const all = (await textsOf(ctx, 'webinars')).map(({ slug, data, html }) => {
    const { title, description, date, minutes, to } = data;
    return { slug, title, description, date, minutes, to, html, isPast: date < today };
  });
  const byDate = all.sort((a, b) => a.date.localeCompare(b.date));
  return [...byDate.filter(({ isPast }) => !isPast), ...byDate.filter(({ isPast }) => isPast).reverse()];
}

async function textsOf<C extends 'questions' | 'stories' | 'resources' | 'webinars'>(ctx: Ctx, collection: C) {
  return entriesOf(await ctx.content.library(), collection, ctx.language);
}
