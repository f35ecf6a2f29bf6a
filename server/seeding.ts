import { eq } from 'drizzle-orm';
import { outbox } from '~/db/schema/notifications';
import type { CastPerson } from '~/db/seed/cast';
import { type Hands, seedDemo } from '~/db/seed/demo';
import type { Actor, Ctx } from './ctx';
import { lookupUserByEmail } from './domain/accounts/queries';
import { signUp } from './domain/accounts/signing-up';
import { verifyEmail } from './domain/accounts/verifying';
import { claimCreatorPage } from './domain/creators/claiming';
import { updateCreatorPage } from './domain/creators/page';
import { lookupCreatorOfUser } from './domain/creators/queries';
import { createEpisode } from './domain/episodes/drafting';
import { isSlugTaken } from './domain/episodes/queries';
import { receiveUpload, requestUpload } from './domain/media/uploading';
import { createProduct } from './domain/products/drafting';
import { lookupProductBySlug } from './domain/products/queries';
import { slugFrom } from './fields';
import { EPISODE_LIMITS } from './limits/episodes';
import { type Runtime, systemCtx } from './runtime';

/** The context of a person of the cast, at a moment of theirs. */
async function as(runtime: Runtime, { email, language }: CastPerson, at = runtime.now()): Promise<Ctx> {
  const system = systemCtx(runtime, 'demo');
  const user = await lookupUserByEmail(system, email);
  const creator = user && (await lookupCreatorOfUser(system, user.id));
  const actor: Actor = user
    ? { type: 'user', userId: user.id, creatorId: creator?.id ?? null, sessionId: 'demo' }
    : { type: 'visitor' };
  const sessions = { ...system.sessions, open: async () => ({ token: 'demo' }) };
  const translate: Ctx['translate'] = (key, params, other = language) => system.translate(key, params, other);
  return { ...system, actor, language, translate, sessions, now: () => at };
}

const episodeSlug = (name: string) => slugFrom(name, EPISODE_LIMITS.slugLength);

function handsOf(runtime: Runtime): Hands {
  return {
    async register(person, password) {
      const ctx = await as(runtime, person);
      const { name, email, country, language } = person;
      if (ctx.actor.type === 'visitor') {
        await signUp(ctx, { name, email, password, country, language, terms: true });
      }
    },
    async verify(person) {
      const ctx = await as(runtime, person);
      const [mail] = await ctx.db.select({ text: outbox.text }).from(outbox).where(eq(outbox.to, person.email));
      const token = /token=(\S+)/.exec(mail?.text ?? '')?.[1];
      if (token) await verifyEmail(ctx, { token });
    },
    async claim(person, { name, domain, timeZone }) {
      const ctx = await as(runtime, person);
      const claimed = ctx.actor.type === 'user' && ctx.actor.creatorId !== null;
      if (!claimed) await claimCreatorPage(ctx, { name, domain, timeZone });
    },
    async furnish(person, { aboutTitle, aboutText, buttonColor }, avatarKey) {
      await updateCreatorPage(await as(runtime, person), { aboutTitle, aboutText, buttonColor, avatarKey });
    },
    async upload(person, { purpose, name, type, bytes }) {
      const ctx = await as(runtime, person);
      const file = { fileName: name, contentType: type, fileSize: bytes.length, purpose };
      const { key } = await requestUpload(ctx, file);
      await ctx.ports.storage.put(`incoming/${key}`, bytes, { contentType: type });
      await receiveUpload(ctx, key, bytes.length);
      return key;
    },
    async findProduct(person, { slug }) {
      const ctx = await as(runtime, person);
      const creatorId = ctx.actor.type === 'user' ? ctx.actor.creatorId : null;
      const found = creatorId === null ? null : await lookupProductBySlug(ctx, creatorId, slug);
      return found?.product.id ?? null;
    },
    async createProduct(person, product, coverKey) {
      const { kind, name, slug, description, category, language } = product;
      const plain = { welcomeMessage: '', subscriberEmailMessage: '', hideSubscribeButton: false, explicit: false };
      const made = { kind, name, slug, description, category, language, coverKey, planType: 'free' as const, ...plain };
      return (await createProduct(await as(runtime, person), made)).id;
    },
    async hasEpisode(person, productId, { name }) {
      return isSlugTaken(await as(runtime, person), productId, episodeSlug(name));
    },
    async createEpisode(person, { id, kind }, episode, fileKey, at) {
      const { name, description, type = 'public', season, number } = episode;
      const moment = new Date(Math.min(at.getTime(), runtime.now().getTime()));
      const told = { name, description, type, season, number, slug: episodeSlug(name), releaseDate: at, fileKey };
      const plain = { privateNote: '', sendEmail: false, explicit: false };
      await createEpisode(await as(runtime, person, moment), { kind, productId: id, ...told, ...plain });
    },
  };
}

/** Sows the demo data through the product's own verbs, once in the life of a database. */
export function seed(runtime: Runtime): Promise<boolean> {
  return seedDemo(runtime.db, handsOf(runtime), runtime.now());
}
