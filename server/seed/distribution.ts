import { updateCreatorPage } from '../domain/creators/page';
import * as creatorSchema from '../domain/creators/schema';
import { updateProduct } from '../domain/products/draft-product';
import { seeFirstPublish } from '../domain/products/first-publish';
import { updateListings } from '../domain/products/listings';
import * as productSchema from '../domain/products/schema';
import type { Ctx } from '../runtime/ctx';
import type { DemoPerson, DemoProduct } from './demo-types';

/** The settings and listings of the demo shows' feeds, by slug. The directories do not really list them. */
const FEEDS: Record<string, { feed: Record<string, unknown>; listings: Record<string, string> }> = {
  'postales-sonoras': {
    feed: {
      author: 'Lucía Ferrer',
      copyright: '© 2026 Lucía Ferrer',
      ownerName: 'Lucía Ferrer',
      ownerEmail: 'lucia@altavoz.example',
      fundingUrl: 'https://lucia.example/apoya',
      fundingText: 'Invítame a un cortado',
      spotifyShowUrl: 'https://open.spotify.com/show/0000000000000000000000',
    },
    listings: {
      apple: 'https://podcasts.apple.com/es/podcast/postales-sonoras/id1000000000',
      podcastindex: 'https://podcastindex.org/podcast/1000000',
    },
  },
  // waits for the link in the inbox
  lullabies: {
    feed: { author: 'Ada Bright', ownerName: 'Bright Audio', ownerEmail: 'studio@bright.example' },
    listings: { overcast: 'https://overcast.fm/itunes1000000001' },
  },
};

/** Fills in the distribution page. The creator has seen the page about the first episode long ago. */
export async function distribute(ctx: Ctx, { id, kind, slug }: DemoProduct & { id: number }): Promise<void> {
  // if an earlier start was killed later, nothing is left to do
  if (!(await seeFirstPublish(ctx, { id, kind }))) return;
  const { feed, listings } = FEEDS[slug] ?? {};
  if (feed) await updateProduct(ctx, productSchema.updateProduct.parse({ id, kind, ...feed }));
  if (listings) await updateListings(ctx, productSchema.updateListings.parse({ id, kind, ...listings }));
}

/** The contents of the creator pages besides the picture and the about text, by email address. */
const PAGES: Record<string, Record<string, unknown>> = {
  'lucia@altavoz.example': {
    ctaTitle: 'Una postal para alguien',
    ctaText: 'Elige un lugar y un momento, y compongo una pieza de un minuto para quien quieras.',
    ctaButton: 'Encargar una postal',
    ctaUrl: 'https://lucia.example/encargos',
    testimonials: [
      { text: 'Mi tranvía de las siete ya no suena igual.', author: 'Marta, oyente', url: null },
      { text: 'Un minuto que dura toda la mañana.', author: 'Radio Malvarrosa', url: 'https://radio.example/postales' },
    ],
    links: [
      { label: 'Mastodon', url: 'https://mastodon.example/@luciaferrer' },
      { label: 'Bandcamp', url: 'https://luciaferrer.example' },
    ],
    username: 'luciaferrer',
    acceptsDonations: true,
    donationText: 'Para un micrófono que soporte la brisa.',
  },
  'ada@altavoz.example': {
    ctaTitle: 'A lullaby for your machine',
    ctaText: 'Name a server, a satellite or a fridge, and I write the song that it falls asleep to.',
    ctaButton: 'Suggest a machine',
    ctaUrl: 'https://ada.example/machines',
    testimonials: [
      { text: 'Our racks have not thrown an error since.', author: 'A night operator', url: null },
      { text: 'The best minute of my uptime.', author: 'Hum Weekly', url: 'https://hum.example/ada' },
    ],
    links: [{ label: 'Code', url: 'https://code.example/ada' }],
    username: 'adabright',
  },
};

export async function fillPage(ctx: Ctx, { email }: DemoPerson): Promise<void> {
  const page = PAGES[email];
  if (page) await updateCreatorPage(ctx, creatorSchema.updateCreator.parse(page));
}
