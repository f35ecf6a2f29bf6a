/** Episodes of the demo that are neither published nor scheduled. */
export const UNFINISHED = [
  {
    name: 'Mercado a las siete',
    description: 'Borrador: falta decidir el final.',
    seconds: 40,
    daysAgo: 0,
    state: 'draft' as const,
  },
  {
    name: 'Tranvía (grabación de campo)',
    description: 'La grabadora guardó un WAV.',
    seconds: 0,
    daysAgo: 0,
    state: 'failed' as const,
  },
  {
    name: 'Toma descartada',
    description: 'Se puede restaurar durante una semana.',
    seconds: 8,
    daysAgo: 0,
    state: 'deleted' as const,
  },
];
