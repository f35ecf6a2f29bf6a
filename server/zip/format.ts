/** Numbers of the zip format (APPNOTE 6.3.10). */
export const RECORDS = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  directory: 0x02014b50,
  end: 0x06054b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
  zip64Extra: 0x0001,
} as const;

export const STORED = 0;
export const DEFLATED = 8;
/** 4.5 is the first version with Zip64. */
export const VERSION = 45;
/** This value in an older field means that Zip64's field has the number. */
export const ZIP64_SIZE = 0xffffffff;
export const ZIP64_COUNT = 0xffff;
