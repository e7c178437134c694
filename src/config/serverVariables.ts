import { isRecord } from '../discovery/record.ts';
import { serverSections } from './config.ts';
import { nodeValue, parseDocument, withoutByteOrderMark } from './document.ts';
import { variablesIn } from './environmentNames.ts';

/** Names of the environment variables that the servers of a configuration read, each once; none where it cannot be read. */
export function serverVariables(text: string): readonly string[] {
	const { root } = parseDocument(withoutByteOrderMark(text));
	const file = root && nodeValue(root);
	return isRecord(file) ? variablesIn(serverSections.map((section) => file[section])) : [];
}
