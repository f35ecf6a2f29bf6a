import type { Person } from '~/db/values/episodes';

/** People and formatted descriptions with times, of demo episodes, by name. */
export const CREDITS: Record<string, { description: string; people: Person[] }> = {
  'Lisboa, tranvía de las siete': {
    description:
      '<p>El 28 sube despacio.</p><p>Una melodía para mirar por la ventanilla antes de que <strong>la ciudad despierte</strong>.</p><ul><li>0:24 Subida a la Graça</li><li>1:01 Última parada</li></ul>',
    people: [
      { name: 'Lucía Ferrer', role: 'host', url: null },
      { name: 'Noa Vidal', role: 'guest', url: 'https://noa.example/' },
    ],
  },
  'For a satellite': {
    description:
      '<p>It passes over your house every ninety-three minutes.</p><p>Play this when it does.</p><ul><li>0:20 Overhead</li><li>0:45 Below the horizon</li></ul>',
    people: [{ name: 'Ada Bright', role: 'host', url: null }],
  },
};
