/** Transcripts of demo episodes, by name. Music has no words, so this one says what sounds. */
export const TRANSCRIPTS: Record<string, string> = {
  'Lisboa, tranvía de las siete': `WEBVTT

00:00:00.000 --> 00:00:08.000
[Cuatro notas suben despacio, como un tranvía que arranca]

00:00:24.000 --> 00:00:32.000
[La melodía repite la cuesta, una octava más alta]

00:01:01.500 --> 00:01:10.000
[Queda el bajo solo: última parada]
`,
};
