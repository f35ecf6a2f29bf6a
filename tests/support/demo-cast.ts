import type { DemoPerson } from '~/server/seed/demo-types';

/** A creator with one podcast of two short episodes: four uploads. */
export function demoCast(domain: string): DemoPerson[] {
  const texts = { description: 'A test.', language: 'en' as const };
  const page = { name: 'Test', domain, timeZone: 'Europe/Madrid', about: { title: 'About', text: 'Testing.' } };
  const episode = (name: string, daysAgo: number) => ({ name, description: 'A test.', seconds: 2, daysAgo });
  const product = { kind: 'podcast' as const, name: 'Tests', slug: `${domain}-tests`, category: 1100, ...texts };
  const shows = [
    { ...product, cover: 'bars' as const, episodes: [episode('First', 9), episode('Lisboa, tranvía de las siete', 2)] },
  ];
  const email = `${domain}@altavoz.example`;
  return [
    { name: 'Test', email, country: 'ES', birthDate: '1990-05-01', language: 'en', creator: page, products: shows },
  ];
}
