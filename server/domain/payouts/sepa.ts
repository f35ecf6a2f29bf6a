import { toDecimal } from '../../base/money';
import type { BankSettings } from '../../env/operator';

/**
 * A file of SEPA credit transfers (ISO 20022, pain.001.001.09; EPC 132-08) for the operator's bank. Pure: the same
 * payouts make the same file.
 */
export type SepaTransfer = { reference: string; holder: string; iban: string; amountMinor: number; text: string };
export type SepaFile = {
  /** The bank refuses a second file with the same name. */
  name: string;
  createdAt: Date;
  /** The day of the transfer, such as `2026-11-24`. */
  day: string;
  debtor: BankSettings & { name: string };
  transfers: SepaTransfer[];
};

const LENGTHS = { id: 35, name: 70, text: 140, street: 70, postalCode: 16, town: 35 } as const;

export function sepaFile({ name, createdAt, day, debtor, transfers }: SepaFile): string {
  const sum = toDecimal(transfers.reduce((total, { amountMinor }) => total + amountMinor, 0));
  const id = reference(name);
  const agent = debtor.bic ? tag('BICFI', escaped(debtor.bic)) : tag('Othr', tag('Id', 'NOTPROVIDED'));
  const totals = tag('NbOfTxs', String(transfers.length)) + tag('CtrlSum', sum);
  const party = tag('Nm', sepaText(debtor.name, LENGTHS.name));
  const header = [
    tag('MsgId', id),
    tag('CreDtTm', createdAt.toISOString().slice(0, 19)),
    totals,
    tag('InitgPty', party),
  ].join('');
  const payment = [
    tag('PmtInfId', id),
    tag('PmtMtd', 'TRF'),
    tag('BtchBookg', 'false'),
    totals,
    tag('PmtTpInf', tag('SvcLvl', tag('Cd', 'SEPA'))),
    tag('ReqdExctnDt', tag('Dt', day)),
    tag('Dbtr', party + addressOf(debtor)),
    tag('DbtrAcct', account(debtor.iban)),
    tag('DbtrAgt', tag('FinInstnId', agent)),
    tag('ChrgBr', 'SLEV'),
    ...transfers.map(transferOf),
  ].join('');
  const body = tag('CstmrCdtTrfInitn', tag('GrpHdr', header) + tag('PmtInf', payment));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">${body}</Document>\n`;
}

/**
 * Since 15 November 2026, banks accept an address only in parts, of which town and country are required (EPC 153-22).
 * They need the payer's for transfers to countries outside the European Economic Area.
 */
function addressOf({ address }: BankSettings): string {
  if (!address) return '';
  const { street, postalCode, town, country } = address;
  const part = (name: string, text: string | null, max: number) => (text ? tag(name, sepaText(text, max)) : '');
  const parts = [
    part('StrtNm', street, LENGTHS.street),
    part('PstCd', postalCode, LENGTHS.postalCode),
    part('TwnNm', town, LENGTHS.town),
    tag('Ctry', country),
  ];
  return tag('PstlAdr', parts.join(''));
}

function transferOf({ reference: own, holder, iban, amountMinor, text }: SepaTransfer): string {
  return tag(
    'CdtTrfTxInf',
    [
      tag('PmtId', tag('EndToEndId', reference(own))),
      tag('Amt', `<InstdAmt Ccy="EUR">${toDecimal(amountMinor)}</InstdAmt>`),
      tag('Cdtr', tag('Nm', sepaText(holder, LENGTHS.name))),
      tag('CdtrAcct', account(iban)),
      tag('RmtInf', tag('Ustrd', sepaText(text, LENGTHS.text))),
    ].join(''),
  );
}

const account = (iban: string) => tag('Id', tag('IBAN', escaped(iban)));
/** Hyphens are removed, because banks reject references with hyphens at some places. */
const reference = (text: string) => text.replace(/[^A-Za-z0-9]/g, '').slice(0, LENGTHS.id);
const tag = (name: string, content: string) => `<${name}>${content}</${name}>`;
const escaped = (text: string) => text.replace(/[^A-Za-z0-9]/g, '');

/** Letters that have no base letter. */
const SPELLED: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
  '&': '+',
  '’': "'",
  '–': '-',
  '—': '-',
};

/**
 * Text in the characters that every bank takes (EPC 217-08), which are also harmless in XML. A name without such
 * characters, for example in Arabic, becomes a full stop: banks find the account by its IBAN.
 */
export function sepaText(text: string, max: number): string {
  const plain = [...text.normalize('NFC')].map((char) => SPELLED[char] ?? char).join('');
  const latin = plain
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  // a name may not begin or end with a slash, nor have two of them
  const safe = latin.replace(/\/{2,}/g, '/').replace(/^\/+|\/+$/g, '');
  return safe.slice(0, max).trim() || '.';
}
