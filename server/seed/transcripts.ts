/** Transcripts of demo episodes, by name. Music has no words, so they describe the sound. */
export const TRANSCRIPTS: Record<string, string> = {
  'For a satellite': `WEBVTT

00:00:00.000 --> 00:00:09.000
[A slow pulse, as far away as it sounds]

00:00:20.000 --> 00:00:28.000
[The melody comes near and answers itself]

00:00:45.000 --> 00:00:52.000
[Every second note is missing now]
`,
  'Lisboa, tranvía de las siete': `WEBVTT

00:00:00.000 --> 00:00:08.000
[Cuatro notas suben despacio, como un tranvía que arranca]

00:00:24.000 --> 00:00:32.000
[La melodía repite la cuesta, una octava más alta]

00:01:01.500 --> 00:01:10.000
[Queda el bajo solo: última parada]
`,
};
