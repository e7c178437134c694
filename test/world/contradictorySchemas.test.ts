import { describe, expect, test } from 'vitest';
import { sendableTools } from '../unit/models/schemas/asking.ts';
import { rowsOf } from './rows.ts';

/** Schemas of arguments that contradict themselves, and what is sent of them. */
interface Row {
	readonly what: string;
	readonly schema: object;
	readonly sent: object;
	readonly from: string;
}

const rows = rowsOf<Row>('contradictorySchemas');

describe('schemas that contradict themselves', () => {
	test.each(rows)('$what ($from)', ({ schema, sent }) => {
		const tool = { name: 'x', description: 'd', inputSchema: { type: 'object', properties: { v: schema } } };
		const [sendable] = sendableTools([tool], 'openai').tools;
		expect(Object(sendable?.inputSchema.properties).v).toEqual(sent);
	});
});
