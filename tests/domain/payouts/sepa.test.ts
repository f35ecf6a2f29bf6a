import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { sepaFile, sepaText } from '~/server/domain/payouts/sepa';

const IBAN = 'ES9121000418450200051332';
const transfer = {
  reference: '0f0e5f5e-1111-4222-8333-abcdefabcdef',
  holder: 'Lucía Ferrer',
  iban: IBAN,
  text: 'Altavoz 2026-11',
};
const file = {
  name: 'payouts-20261123',
  createdAt: new Date('2026-11-23T12:34:56.789Z'),
  day: '2026-11-24',
  debtor: { name: 'Altavoz & Söhne <Ltd>', iban: 'DE75512108001245126199', bic: null, address: null },
  transfers: [
    { ...transfer, amountMinor: 50_01 },
    { ...transfer, holder: '</Nm><Evil/>', amountMinor: 1_234_567_89 },
  ],
};

test.each([
  ['Lucía Núñez', 'Lucia Nunez'],
  ['Straße & Søn Łódź', 'Strasse + Son Lodz'],
  ['<b>"Ana"</b>; DROP', 'b Ana /b DROP'],
  ['//Ana//', 'Ana'],
  ['ﬁne  \n line', 'fine line'],
  ['فاطمة', '.'],
  ['😀', '.'],
  ['', '.'],
])('the bank gets %j as %j', (text, sent) => {
  expect(sepaText(text, 70)).toBe(sent);
});

test('a text is cut at its length', () => {
  expect(sepaText('ß'.repeat(80), 70)).toHaveLength(70);
});

test('the address of the account that pays is structured, and has no empty parts', () => {
  const debtor = {
    ...file.debtor,
    address: { street: 'Calle de Núñez, 1', postalCode: null, town: 'A Coruña', country: 'ES' },
  };
  const { Document: document } = new XMLParser().parse(sepaFile({ ...file, debtor }));

  expect(document.CstmrCdtTrfInitn.PmtInf.Dbtr.PstlAdr).toEqual({
    ...{ StrtNm: 'Calle de Nunez, 1', TwnNm: 'A Coruna', Ctry: 'ES' },
  });
  expect(sepaFile(file)).not.toContain('PstlAdr');
});

test('one file transfers several payouts, with their number and sum', () => {
  const { Document: document } = new XMLParser({ ignoreAttributes: false, parseTagValue: false }).parse(sepaFile(file));

  expect(document['@_xmlns']).toBe('urn:iso:std:iso:20022:tech:xsd:pain.001.001.09');
  const { GrpHdr: header, PmtInf: payment } = document.CstmrCdtTrfInitn;
  const totals = { NbOfTxs: '2', CtrlSum: '1234617.90' };
  expect(header).toEqual({
    MsgId: 'payouts20261123',
    CreDtTm: '2026-11-23T12:34:56',
    ...totals,
    InitgPty: { Nm: 'Altavoz + Sohne Ltd' },
  });
  expect(payment).toMatchObject({
    ...totals,
    PmtMtd: 'TRF',
    PmtTpInf: { SvcLvl: { Cd: 'SEPA' } },
    ReqdExctnDt: { Dt: '2026-11-24' },
    DbtrAcct: { Id: { IBAN: 'DE75512108001245126199' } },
    DbtrAgt: { FinInstnId: { Othr: { Id: 'NOTPROVIDED' } } },
    ChrgBr: 'SLEV',
  });
  const [first, second] = payment.CdtTrfTxInf;
  expect(first).toEqual({
    PmtId: { EndToEndId: '0f0e5f5e111142228333abcdefabcdef' },
    Amt: { InstdAmt: { '#text': '50.01', '@_Ccy': 'EUR' } },
    Cdtr: { Nm: 'Lucia Ferrer' },
    CdtrAcct: { Id: { IBAN } },
    RmtInf: { Ustrd: 'Altavoz 2026-11' },
  });
  expect(second.Cdtr).toEqual({ Nm: 'Nm Evil' });
});
