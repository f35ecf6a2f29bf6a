/** A TypeScript file and what it imports, as the text of one small script (vite.config.ts). */
declare module '*?script' {
  const text: string;
  export default text;
}
