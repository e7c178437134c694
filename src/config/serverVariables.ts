import { isRecord } from '../discovery/record.ts';
import { nodeValue, parseDocument, withoutByteOrderMark } from './document.ts';
import { serverSections } from './schema.ts';

/** Names of the environment variables that the servers of a configuration read, each once; none where it cannot be read. */
export function serverVariables(text: string): readonly string[] {
	const { root } = parseDocument(withoutByteOrderMark(text));
	const file = root && nodeValue(root);
	return isRecord(file) ? variablesIn(serverSections.map((section) => file[section])) : [];
}

/** Names of the environment variables that stand as `${env:NAME}` in the texts of a JSON value, each once. */
export function variablesIn(value: unknown): readonly string[] {
	if (typeof value === 'string') {
		return [...new Set([...value.matchAll(/\$\{env:([^{}]*)\}/g)].map(([, name = '']) => name))];
	}
	if (typeof value !== 'object' || value === null) return [];
	return [...new Set(Object.values(value).flatMap(variablesIn))];
}
