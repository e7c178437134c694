import { stem } from './analyzer.ts';
import brands from './brands.json' with { type: 'json' };
import services from './services.json' with { type: 'json' };

/** Names of services and of the brands above them. A name with a capital is an ordinary word, too, and names a service only where it is written so. */
const listed = [...Object.values(services).flat(), ...Object.keys(brands)];
const always = new Set(listed.filter((name) => name === name.toLowerCase()));
const asName = new Set(listed.filter((name) => !always.has(name)).map((name) => name.toLowerCase()));

/** Words about a company itself. Beside them, its name is what a tool is asked about and not whose tool it is: "apple stock price". */
const aboutCompanies = new Set(
	`stock stocks share shares ticker trade trades traded dividend dividends earnings revenue price prices news company companies cash invest
	options calls puts competitors valuation`.split(/\s+/),
);

/** By name: a brand with each of its products, and a product with its brands. A tool for one of them also helps those who ask for the other. */
const related = Map.groupBy(
	Object.entries(brands).flatMap(([brand, products]) =>
		products.flatMap((product) => [
			{ name: brand.toLowerCase(), other: product },
			{ name: product, other: brand.toLowerCase() },
		]),
	),
	({ name }) => name,
);

/** Whether a word names a service (`salesforce`, or `Teams` with a capital); tools of other services are then no answer. */
export function isService({ text, isName }: { readonly text: string; readonly isName: boolean }): boolean {
	return always.has(text) || (isName && asName.has(text));
}

/** The services that the words of a query name. */
export function servicesIn<W extends Parameters<typeof isService>[0]>(words: readonly W[]): readonly W[] {
	return words.some(({ text }) => aboutCompanies.has(text)) ? [] : words.filter(isService);
}

/** A tool serves a service if it has one of these terms: the service's name, its brand or its products. */
export function termsOfService(name: string): readonly string[] {
	return [name, ...(related.get(name) ?? []).map(({ other }) => other)].map(stem);
}
