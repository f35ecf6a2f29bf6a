import { html } from 'hono/html';
import { day, money, page } from './layout';

import { type Language, PAGE_TEXTS, type PageTexts } from './texts';

export type ReceiptView = {
  language: Language;
  number: string | null;
  amount: number;
  refunded: number;
  currency: string;
  date: number;
  card: string;
  status: string;
  description: string | null;
};

const statusText = (texts: PageTexts, status: string) =>
  (texts as Record<string, string>)[`status_${status}`] ?? status;

export function receiptPage({
  language,
  number,
  amount,
  refunded,
  currency,
  date,
  card,
  status,
  description,
}: ReceiptView) {
  const texts = PAGE_TEXTS[language];
  return page(
    language,
    texts,
    texts.receipt,
    html`<h1>${texts.receipt}</h1>${description ? html`<p>${description}</p>` : ''}<dl>
${number ? html`<dt>${texts.number}</dt><dd>${number}</dd>` : ''}
<dt>${texts.date}</dt><dd>${day(date, language)}</dd>
<dt>${texts.paidWith}</dt><dd>${card}</dd>
<dt>${texts.status}</dt><dd>${statusText(texts, status)}</dd>
<dt>${texts.amountPaid}</dt><dd>${money(amount, currency, language)}</dd>
${refunded > 0 ? html`<dt>${texts.refunded}</dt><dd>${money(refunded, currency, language)}</dd>` : ''}
</dl>`,
  );
}

export type InvoiceView = {
  language: Language;
  number: string | null;
  status: string;
  currency: string;
  date: number;
  lines: { description: string; amount: number; start: number; end: number }[];
  /** Further fields, such as the seller. */
  fields: { name: string; value: string }[];
  discount: number;
  balance: number;
  due: number;
  paid: number;
  pdfUrl: string;
  payable: boolean;
};

export function invoicePage(view: InvoiceView) {
  const { language, number, status, currency, date, lines } = view;
  const texts = PAGE_TEXTS[language];
  const formatAmount = (minor: number) => money(minor, currency, language);
  return page(
    language,
    texts,
    `${texts.invoice} ${number ?? ''}`,
    html`<h1>${texts.invoice} ${number ?? ''}</h1><p class="soft">${day(date, language)} · ${statusText(texts, status)}</p>
${view.fields.length > 0 ? html`<dl>${view.fields.map(({ name, value }) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>` : ''}
<table>${lines.map(
      (line) =>
        html`<tr><td>${line.description}${line.end > line.start ? html`<br><span class="soft">${day(line.start, language)} – ${day(line.end, language)}</span>` : ''}</td><td>${formatAmount(line.amount)}</td></tr>`,
    )}
${view.discount > 0 ? html`<tr><td>${texts.discount}</td><td>−${formatAmount(view.discount)}</td></tr>` : ''}
${view.balance !== 0 ? html`<tr><td>${texts.balance}</td><td>${formatAmount(view.balance)}</td></tr>` : ''}
<tr><th>${texts.amountDue}</th><th>${formatAmount(view.due)}</th></tr><tr><td>${texts.amountPaid}</td><td>${formatAmount(view.paid)}</td></tr></table>
${view.payable ? html`<form method="post"><button>${texts.payInvoice}</button></form>` : ''}
<p><a href="${view.pdfUrl}">${texts.download}</a></p>`,
  );
}

/** The invoice as a one-page PDF: plain lines in Helvetica. */
export function invoicePdf(view: InvoiceView): Uint8Array<ArrayBuffer> {
  const texts = PAGE_TEXTS[view.language];
  const formatAmount = (minor: number) => `${(minor / 100).toFixed(2)} ${view.currency.toUpperCase()}`;
  const lines = [
    `${texts.invoice} ${view.number ?? ''}`,
    `${day(view.date, view.language)}  ${statusText(texts, view.status)}`,
    ...view.fields.map(({ name, value }) => `${name}: ${value}`),
    '',
    ...view.lines.map(({ description, amount }) => `${description}: ${formatAmount(amount)}`),
    ...(view.discount > 0 ? [`${texts.discount}: -${formatAmount(view.discount)}`] : []),
    `${texts.amountDue}: ${formatAmount(view.due)}`,
    `${texts.amountPaid}: ${formatAmount(view.paid)}`,
    '',
    texts.sandbox,
  ];
  return pdf(lines);
}

function pdf(lines: string[]): Uint8Array<ArrayBuffer> {
  const written = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&').replaceAll('×', 'x')}) Tj T*`).join('\n');
  const content = `BT /F1 12 Tf 18 TL 56 780 Td\n${written}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, i) => {
    const place = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const start = text.length;
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}
