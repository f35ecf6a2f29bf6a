import { html } from 'hono/html';
import { money, page } from './layout';

import { fill, type Language, PAGE_TEXTS, type PageTexts } from './texts';

export type CheckoutView = {
  language: Language;
  mode: 'payment' | 'subscription' | 'setup';
  donation: boolean;
  currency: string;
  lines: { name: string; description: string | null; quantity: number; amount: number; interval: string | null }[];
  trialDays: number | null;
  discount: number;
  total: number;
  needsEmail: boolean;
  allowsCode: boolean;
  needsCard: boolean;
  savedCards: { id: string; label: string }[];
  testCards: { number: string; label: string }[];
  cancelUrl: string | null;
  error: string | null;
  fields: Record<string, string>;
  /** Countries of the billing address, by code. */
  countries: { code: string; name: string }[];
  country: string;
  year: number;
};

const pricePattern = (texts: PageTexts, interval: string | null) =>
  interval === 'month'
    ? texts.everyMonth
    : interval === 'year'
      ? texts.everyYear
      : interval === null
        ? '{price}'
        : texts.everyOther;

function buttonText(texts: PageTexts, { mode, donation, trialDays }: CheckoutView): string {
  if (mode === 'setup') return texts.save;
  if (trialDays !== null) return texts.startTrial;
  return donation ? texts.donate : mode === 'subscription' ? texts.subscribe : texts.pay;
}

/** The page where a customer pays, subscribes or saves a card. */
export function checkoutPage(view: CheckoutView) {
  const { language, mode, lines, total, error, cancelUrl } = view;
  const texts = PAGE_TEXTS[language];
  const button = buttonText(texts, view);
  const title = mode === 'setup' ? texts.setupTitle : button;
  return page(
    language,
    texts,
    title,
    html`<h1>${title}</h1>
${lines.length > 0 ? orderSummary(view, texts) : ''}
${error ? html`<p class="wrong" role="alert">${error}</p>` : ''}
<form method="post">
${view.needsEmail ? html`<label for="email">${texts.email}</label><input id="email" name="email" type="email" required autocomplete="email" value="${view.fields.email ?? ''}">` : ''}
${view.allowsCode ? html`<label for="code">${texts.code}</label><input id="code" name="code" autocomplete="off" value="${view.fields.code ?? ''}"><button class="quiet" name="step" value="code" formnovalidate>${texts.apply}</button>` : ''}
${view.needsCard ? cardFields(view, texts) : ''}
<button name="step" value="pay">${button}${mode === 'setup' ? '' : ` ${money(total, view.currency, language)}`}</button>
</form>
${cancelUrl ? html`<p><a href="${cancelUrl}">${texts.cancel}</a></p>` : ''}`,
  );
}

function orderSummary({ lines, language, currency, discount, total, trialDays }: CheckoutView, texts: PageTexts) {
  const rows = lines.map(({ name, description, quantity, amount, interval }) => {
    const price = fill(pricePattern(texts, interval), { price: money(amount, currency, language) });
    const priceText = trialDays === null ? price : fill(texts.trialDays, { days: trialDays, price });
    return html`<tr><td>${quantity > 1 ? `${quantity} × ` : ''}${name}${description ? html`<br><span class="soft">${description}</span>` : ''}</td><td>${priceText}</td></tr>`;
  });
  return html`<table>${rows}
${discount > 0 ? html`<tr><td>${texts.discount}</td><td>−${money(discount, currency, language)}</td></tr>` : ''}
<tr><th>${texts.total}</th><th>${money(total, currency, language)}</th></tr></table>`;
}

function cardFields({ savedCards, testCards, fields, countries, country, year }: CheckoutView, texts: PageTexts) {
  return html`${
    savedCards.length > 0
      ? html`<fieldset><legend>${texts.savedCard}</legend>${savedCards.map(
          ({ id, label }, i) =>
            html`<label class="choice"><input type="radio" name="saved" value="${id}" ${i === 0 ? 'checked' : ''}> ${label}</label>`,
        )}<label class="choice"><input type="radio" name="saved" value=""> ${texts.newCard}</label></fieldset>`
      : ''
  }
<label for="picked">${texts.pickCard}</label>
<select id="picked" name="picked"><option value="">–</option>${testCards.map(
    ({ number, label }) =>
      html`<option value="${number}" ${fields.picked === number ? 'selected' : ''}>${number} ${label}</option>`,
  )}</select><p class="soft">${texts.pickHint}</p>
<label for="number">${texts.card}</label><input id="number" name="number" inputmode="numeric" autocomplete="cc-number" value="${fields.number ?? ''}">
<div class="row">
<div><label for="month">${texts.month}</label><input id="month" name="month" inputmode="numeric" autocomplete="cc-exp-month" value="${fields.month ?? '12'}"></div>
<div><label for="year">${texts.year}</label><input id="year" name="year" inputmode="numeric" autocomplete="cc-exp-year" value="${fields.year ?? String(year + 3)}"></div>
<div><label for="cvc">${texts.cvc}</label><input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" value="${fields.cvc ?? '123'}"></div>
</div>
<label for="name">${texts.name}</label><input id="name" name="name" autocomplete="cc-name" value="${fields.name ?? ''}">
<label for="country">${texts.country}</label>
<select id="country" name="country" autocomplete="country">${countries.map(
    ({ code, name }) => html`<option value="${code}" ${code === country ? 'selected' : ''}>${name}</option>`,
  )}</select>`;
}

export function messagePage(language: Language, sentence: 'closed' | 'expired' | 'done' | 'notFound') {
  const texts = PAGE_TEXTS[language];
  return page(language, texts, texts[sentence], html`<h1>${texts[sentence]}</h1>`);
}

export type AuthView = { language: Language; amount: string | null; merchant: string };

/** The 3-D Secure page of the customer's bank. */
export function authenticatePage({ language, amount, merchant }: AuthView) {
  const texts = PAGE_TEXTS[language];
  const text = amount === null ? fill(texts.authSetup, { merchant }) : fill(texts.authText, { amount, merchant });
  return page(
    language,
    texts,
    texts.authTitle,
    html`<h1>${texts.authTitle}</h1><p>${text}</p>
<form method="post"><button name="answer" value="yes">${texts.authYes}</button><button class="quiet" name="answer" value="no">${texts.authNo}</button></form>`,
  );
}

export function onboardingPage(language: Language, returnUrl: string) {
  const texts = PAGE_TEXTS[language];
  return page(
    language,
    texts,
    texts.onboarding,
    html`<h1>${texts.onboarding}</h1><p>${texts.onboardingText}</p>
<form method="post"><button name="answer" value="yes">${texts.onboardingDone}</button></form>
<p><a href="${returnUrl}">${texts.onboardingLater}</a></p>`,
  );
}
