import type { Door } from '~/app/lib/doors.server';
import { pathsIn } from '~/app/lib/paths';
import { CURRENCIES, toDecimal } from '~/server/base/money';
import { PLANS, PLANS_FOR_SALE } from '~/server/limits/plans';

/** schema.org's description of Altavoz with the prices of the plans that can be bought here. */
export function softwareData({ context }: Pick<Door, 'context'>): object {
  const url = context.urls.app(pathsIn(`/${context.language}`).pricing);
  const offered = PLANS_FOR_SALE.flatMap((code) => {
    const { name, priceMinor } = PLANS[code];
    return priceMinor === null || (priceMinor > 0 && !context.settings.takesPayments) ? [] : [{ name, priceMinor }];
  });
  const offers = offered.flatMap(({ name, priceMinor }) =>
    CURRENCIES.map((currency) => ({
      '@type': 'Offer',
      name,
      price: toDecimal(priceMinor),
      priceCurrency: currency.toUpperCase(),
      ...(priceMinor > 0 && {
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          price: toDecimal(priceMinor),
          priceCurrency: currency.toUpperCase(),
          unitCode: 'MON',
        },
      }),
      url,
    })),
  );
  return {
    '@type': 'SoftwareApplication',
    name: 'Altavoz',
    applicationCategory: 'MultimediaApplication',
    operatingSystem: 'Web',
    url: context.urls.app('/'),
    offers,
  };
}

type Answered = { question: string; answer: string };

/** Questions and their answers as text, for search engines. */
export const questionsData = (questions: readonly Answered[]): object => ({
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
});
