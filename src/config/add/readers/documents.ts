import * as l10n from '@vscode/l10n';
import { parse as parseToml, TomlError } from 'smol-toml';
import { parseDocument as parseYaml, type Tags, visit } from 'yaml';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { isSectionKey } from '../sections.ts';

/** A whole text as a value, or why it cannot be read. */
export type ReadDocument = { readonly value: unknown } | { readonly fault: string };

/** A format of configuration files besides JSON. */
interface DocumentFormat {
	/** Whether a text has a line that no other format has. */
	readonly fits: (text: string) => boolean;
	readonly read: (text: string) => ReadDocument;
}

const tomlKey = `(?:[\\w-]+|"[^"\\n]*"|'[^'\\n]*')`;
const tomlHeader = new RegExp(
	`^[ \\t]*\\[\\[?[ \\t]*${tomlKey}([ \\t]*\\.[ \\t]*${tomlKey})*[ \\t]*\\]\\]?[ \\t]*(#.*)?\\r?$`,
	'm',
);
const tomlServers = /^[ \t]*"?mcp_?servers"?[ \t]*[.=]/im;
const yamlKey = /^[ \t]*["']?([\w.-]+)["']?:[ \t]*(#.*)?\r?$/gm;
const yamlEntry = /^[ \t]*(-[ \t]+)?(cmd|command|args|url|uri|image):[ \t]+\S/m;
const yamlName = /^[ \t]*(-[ \t]+)?(name|type|[\w-]+):([ \t]+\S.*)?\r?$/m;

const formats: readonly DocumentFormat[] = [
	{
		fits: (text) =>
			(tomlHeader.test(text) && /^[ \t]*[\w."'-]+[ \t]*=/m.test(text)) || tomlServers.test(text),
		read: readToml,
	},
	{
		fits: (text) =>
			[...text.matchAll(yamlKey)].some(([, key = '']) => isSectionKey(key)) ||
			(yamlEntry.test(text) && yamlName.test(text)),
		read: readYaml,
	},
];

/** Reads a text that is TOML or YAML as a whole; `undefined`: it is neither. */
export function documentIn(text: string): ReadDocument | undefined {
	if (/^\s*[{"]/.test(text)) return undefined;
	return formats.find(({ fits }) => fits(text))?.read(text);
}

function readToml(text: string): ReadDocument {
	try {
		return { value: parseToml(text, { integersAsBigInt: 'asNeeded' }) };
	} catch (error) {
		const line = error instanceof TomlError ? error.line : 1;
		return { fault: l10n.t('The TOML cannot be read: line {0} has an error.', line) };
	}
}

/**
 * An object in the code of a program, such as `{ command: 'npx' }`, which is YAML as well; `undefined`: something else. A name of the program,
 * such as `PACKAGE_NAME`, is a place to fill in.
 */
export function objectInCode(text: string): JsonRecord | undefined {
	const read = readYaml(text.replace(/^[ \t]*\/\/.*$/gm, ''), (value) =>
		/^(?!True$|False$|None$)[a-z_$][\w$]*$/i.test(value) && /[A-Z]/.test(value) ? `<${value}>` : value,
	);
	return 'value' in read && isRecord(read.value) ? read.value : undefined;
}

/** Numbers are texts: arguments and variables are texts anyway, and ids keep their digits. */
function withoutNumbers(tags: Tags): Tags {
	return tags.filter((tag) => typeof tag === 'string' || !/:(int|float)$/.test(tag.tag));
}

/** `ofPlain`: what a text without quotation marks stands for. */
function readYaml(text: string, ofPlain?: (value: string) => string): ReadDocument {
	const read = parseYaml(text, { logLevel: 'silent', merge: true, customTags: withoutNumbers });
	if (ofPlain)
		visit(read, {
			Scalar: (key, node) => {
				if (key !== 'key' && node.type === 'PLAIN' && typeof node.value === 'string')
					node.value = ofPlain(node.value);
			},
		});
	const [error] = read.errors;
	if (error)
		return { fault: l10n.t('The YAML cannot be read: line {0} has an error.', error.linePos?.[0].line ?? 1) };
	try {
		return { value: read.toJS() };
	} catch {
		return { fault: l10n.t('The YAML cannot be read: it repeats parts of itself too often.') };
	}
}
