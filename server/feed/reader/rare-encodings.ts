/** The characters 0x80 to 0xff of code page 850, which DOS used in western Europe. The platform does not know it. */
const IBM850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** Decodes encodings that the platform does not know; null for all others. Invalid code points become U+FFFD. */
export function decodeRare(bytes: Uint8Array, encoding: string): string | null {
  if (encoding === 'ibm850')
    return Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\x80-\xff]/g, fromIbm850);
  return /^utf-32[lb]e$/.test(encoding) ? decodeUtf32(bytes, encoding === 'utf-32le') : null;
}

const fromIbm850 = (char: string): string => IBM850[char.charCodeAt(0) - 0x80]!;

const RARE = /^(?:(?:ibm|cp)?-?850|cspc850multilingual)$/i;

/** Our name of an encoding that the platform does not know; null for all others. */
export function rareLabel(label: string): string | null {
  if (RARE.test(label)) return 'ibm850';
  if (/^(?:utf-?32|ucs-?4|iso-10646-ucs-4)/i.test(label)) return /be$/i.test(label) ? 'utf-32be' : 'utf-32le';
  return null;
}

/** UTF-32 by its byte order mark, or by the zeros of its first two characters; null for all else. */
export function markedUtf32(bytes: Uint8Array): string | null {
  if (bytes.length < 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const isText = (at: number, isLittle: boolean) => {
    const code = view.getUint32(at, isLittle);
    return code === BYTE_ORDER_MARK || (code > 0 && code < 0x80);
  };
  const matches = [true, false].find((isLittle) => isText(0, isLittle) && isText(4, isLittle));
  return matches === undefined ? null : matches ? 'utf-32le' : 'utf-32be';
}

const BYTE_ORDER_MARK = 0xfeff;
const LAST = 0x10ffff;

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const units = new Uint16Array(Math.floor(bytes.length / 4) * 2);
  let written = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittle);
    const isValid = code <= LAST && (code < 0xd800 || code > 0xdfff);
    if (!isValid || code < 0x10000) units[written++] = isValid ? code : 0xfffd;
    else {
      units[written++] = 0xd800 + ((code - 0x10000) >> 10);
      units[written++] = 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
  }
  return Buffer.from(units.buffer, 0, written * 2).toString('utf16le');
}
