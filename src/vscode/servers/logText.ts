import { visible } from '../../common/invisible.ts';

/** What a server says, for its log: further lines are indented, so that none of them passes for an entry of the log's own. */
export function logText(text: string): string {
	return visible(text)
		.trimEnd()
		.replace(/\r\n?|[\n\u2028\u2029]/g, '\n    ');
}
