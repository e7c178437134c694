/** A package's licence details, from its package.json and the files next to it. */
export interface PackageFacts {
	readonly name: string;
	readonly version: string;
	readonly license?: string;
	readonly author?: string | { readonly name: string };
	/** The texts of its licence and notice files. Some packages have none. */
	readonly licenseTexts: readonly string[];
}

/** Licences that permit redistribution in a bundle, if their texts are included. */
const PERMITTED = new Set([
	'0BSD',
	'Apache-2.0',
	'BlueOak-1.0.0',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'ISC',
	'MIT',
	'Unlicense',
]);

/** Of `(MIT OR GPL-2.0)`, one is enough. A person has to check any other combination. */
function isPermitted(license: string): boolean {
	return license
		.replace(/^\((.*)\)$/, '$1')
		.split(' OR ')
		.some((choice) => PERMITTED.has(choice));
}

/** @param mitTerms The MIT licence without its copyright line, for packages that say MIT and include no text. */
function licenseText(facts: PackageFacts, mitTerms: string): string {
	if (facts.licenseTexts.length > 0) return facts.licenseTexts.map((text) => text.trim()).join('\n\n');
	if (facts.license !== 'MIT')
		throw new Error(`${facts.name} is ${facts.license}, but includes no licence text.`);
	const author = typeof facts.author === 'string' ? facts.author : facts.author?.name;
	return `Copyright (c) ${author ?? `the authors of ${facts.name}`}\n\n${mitTerms.trim()}`;
}

/** The notice of one package. Throws if its licence does not permit bundling. */
export function notice(facts: PackageFacts, mitTerms: string): string {
	const { name, version, license = 'no licence' } = facts;
	if (!isPermitted(license))
		throw new Error(`${name} ${version} is under ${license}: check that before you bundle it.`);
	return `${name} ${version} (${license})\n\n${licenseText(facts, mitTerms)}\n`;
}
