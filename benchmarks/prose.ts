const WORDS = (
  'la una de ruido fondo plaza mercado torre campana noche mañana voz calle radio historia viento mar puerto tren carta ' +
  'amigo abuela guerra paz canción ventana lluvia barrio escuela maestra pan café silencio camino memoria verano invierno'
).split(' ');

/** Generates words that depend only on the seed and compress about as well as real text. */
export function prose(words: number, seed: number): string {
  let state = (seed + 1) * 2_654_435_761;
  return Array.from({ length: words }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[state % WORDS.length];
  }).join(' ');
}
