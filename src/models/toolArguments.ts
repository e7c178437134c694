import { isRecord } from '../discovery/record.ts';
import type { ToolCall } from './chatModel.ts';

/** A call from the JSON text in which providers stream arguments; what is not an object of JSON becomes the call's `fault`. */
export function callFromJson(id: string, name: string, json: string): ToolCall {
	if (json.trim() === '') return { id, name, input: {} };
	try {
		const input: unknown = JSON.parse(json);
		if (isRecord(input)) return { id, name, input };
		return { id, name, input: {}, fault: 'The arguments are not a JSON object.' };
	} catch {
		return {
			id,
			name,
			input: {},
			fault: `The arguments are not valid JSON; they may have been cut off after ${json.length} characters. Make the call again, with shorter arguments where they are long.`,
		};
	}
}
