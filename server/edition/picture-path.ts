/** Whether a root-relative address is a picture that this installation stores and serves to everyone. */
export const isStoredPicture = (src: string): boolean =>
  /^\/media\/images\/\d{1,15}\/[0-9a-f]{64}\/\w+\.(?:jpg|png|webp)$/.test(src);
